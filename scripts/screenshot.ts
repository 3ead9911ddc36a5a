// Takes docs/graphiql.png: GraphiQL of the built gateway (`npm run build`), with the answer to its first example.
import { findChromium, openGraphiql } from '../test/support/chromium.ts';

const file = 'docs/graphiql.png';

const executable = findChromium();
if (!executable) throw new Error('No Chromium found: set CHROMIUM to the path of one.');

const { page, close } = await openGraphiql(executable);
try {
  await page.setViewportSize({ width: 1400, height: 1160 }); // the whole query, and the joins of its answer
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await page.getByRole('link', { name: 'Query', exact: true }).first().click();
  await page.getByRole('button', { name: 'Execute query' }).click();
  await page.getByText('"data"').first().waitFor();
  await page.mouse.move(0, 0); // no tooltip
  await page.waitForTimeout(1000); // the panes slide, the editors colour their text
  await page.screenshot({ path: file });
  console.log(`Wrote ${file}`);
} finally {
  await close();
}

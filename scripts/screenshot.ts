// Takes the pictures of docs/screenshots: the page at `/`, and GraphiQL with an answer and its upstream calls, of the built
// gateway (`npm run build`), in a wide window and on a phone.
import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { findChromium, openGraphiql } from '../test/support/chromium.ts';

const folder = 'docs/screenshots';
const sizes = [
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
];

const executable = findChromium();
if (!executable) throw new Error('No Chromium found: set CHROMIUM to the path of one.');

await mkdir(folder, { recursive: true });
for (const size of sizes) await takePictures(executable, size);

async function takePictures(executable: string, size: (typeof sizes)[number]): Promise<void> {
  const { page, close } = await openGraphiql(executable);
  const take = async (name: string, fullPage: boolean) => {
    const path = `${folder}/${name}-${size.width}.png`;
    await page.mouse.move(0, 0); // no tooltip
    await page.waitForTimeout(1000); // the panes slide, the editors colour their text
    await page.screenshot({ path, fullPage });
    console.log(`Wrote ${path}`);
  };
  try {
    await page.setViewportSize(size);
    await page.reload();
    // Once before the picture: the first answers of a process take ten times as long. Then each API has answered, too.
    for (const tab of ['Home', 'Search', 'Everything', 'Sales']) await run(page, tab);
    const calls = page.locator('#waterfall');
    if ((await calls.getAttribute('open')) === null) await calls.locator('summary').click();
    await take('graphiql', false);

    await page.goto(new URL('/', page.url()).href);
    await take('home', true);
  } finally {
    await close();
  }
}

/** Runs the query of a tab, and waits for its answer. */
async function run(page: Page, tab: string): Promise<void> {
  await page.getByRole('button', { name: tab, exact: true }).click();
  await page.waitForFunction(
    (tab) => localStorage.getItem('graphiql:query')?.includes(`query ${tab} `), // read by GraphiQL
    tab,
  );
  await page.getByRole('button', { name: 'Execute query' }).click();
  await page.getByRole('status').getByText(`${tab}: `).waitFor();
}

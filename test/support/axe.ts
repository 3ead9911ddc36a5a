import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The accessibility faults that axe-core finds in a page, minor ones too, as `rule: element`.
 *
 * @param within a selector of the part that is checked
 */
export async function faultsIn(page: Page, within = 'html'): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async (within) => {
    const axe: { run(within: string): Promise<Found> } = Reflect.get(globalThis, 'axe');
    return (await axe.run(within)).violations;
  }, within);
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

interface Found {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

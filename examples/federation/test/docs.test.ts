import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const page = read('../../docs/federation.md');

/** Files of this example that the page shows in whole: a link to one, then its text. */
const shown = [...page.matchAll(/\]\(\.\.\/examples\/federation\/(\S+?\.\w+)\):\n\n```\w+\n(.*?)```/gs)].map(
  ([, file = '', text = '']) => ({ file, text }),
);

test('docs/federation.md shows each schema, and each configuration of a router', () => {
  const routers = readdirSync(new URL('../routers', import.meta.url), { recursive: true, encoding: 'utf8' });
  const configurations = routers.filter((name) => /\.(yaml|ts)$/.test(name)).map((name) => `routers/${name}`);
  const expected = ['src/billing.graphql', 'src/reviews.graphql', ...configurations];
  expect(shown.map(({ file }) => file).sort()).toEqual(expected.sort());
});

test.each(shown)('docs/federation.md shows $file as it is', ({ file, text }) => {
  expect(text).toBe(read(file));
});

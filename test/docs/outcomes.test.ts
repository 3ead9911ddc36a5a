import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import type { AnswerMode } from '../../src/sandbox/answers.ts';
import { gateway, gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { fences, pagesOfDocs, read } from './pages.ts';

/** The lines of the example, without the values of demo data. */
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

const EXAMPLE = 'examples/outcomes.mjs';

/** The lines that the example prints at an endpoint. It runs in this process. */
async function printed(endpoint: string, token: string): Promise<string[]> {
  const { argv } = process;
  const said: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...words) => void said.push(words.join(' ')));
  process.argv = [process.execPath, EXAMPLE, endpoint, token];
  try {
    await import(`${pathToFileURL(EXAMPLE).href}?${randomUUID()}`); // another copy for each run
  } finally {
    process.argv = argv;
    log.mockRestore();
  }
  return linesOf(said.join('\n'));
}

const page = read('docs/outcomes.md');

test('the page, the examples and the kits have one function', () => {
  const [shown = ''] = fences(page, 'ts');
  expect(shown).toContain('export function outcomeOf');
  expect(read('kits/src/outcome.ts')).toContain(shown.trim());

  const examples = readdirSync('examples', { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return [`examples/${entry.name}`];
    const sources = `examples/${entry.name}/src`;
    return existsSync(sources) ? readdirSync(sources, 'utf8').map((file) => `${sources}/${file}`) : [];
  });
  const files = [...examples.filter((file) => /\.(?:m?js|tsx?)$/.test(file)), ...pagesOfDocs];
  const others = files.filter((file) => /function outcomeOf\b/.test(read(file)));
  expect(others).toEqual(['docs/outcomes.md']);
});

test('the page shows what the example prints', async () => {
  const { url, admin } = await gateway();

  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE, `${url}/graphql`, admin.token]);
  expect(linesOf(stdout)).toEqual(linesOf(fences(page, 'text')[0] ?? ''));
});

test.each<AnswerMode>(['lean', 'wrapped', 'bare:204', 'bare:ok', 'bare:status', 'bare:wrapped', 'bare:refused-200'])(
  'an upstream with the manners %s has the same outcomes',
  async (answers) => {
    const { url, admin } = await gateway({}, { answers });

    const lines = await printed(`${url}/graphql`, admin.token);

    expect(lines[0]).toMatch(/^created: APPLIED Outcomes/);
    expect(lines[1]).toMatch(/^refused: REFUSED name:? can't be blank$/);
    expect(lines[2]).toMatch(/^missing: REFUSED/);
  },
);

test('an upstream that breaks down leaves the outcome unknown', async () => {
  const upstream = await stubUpstream(says('{}', { status: 500 }));
  const { url } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');

  const lines = await printed(`${url}/graphql`, 'token');

  for (const name of ['created', 'refused', 'missing'])
    expect(lines).toContainEqual(expect.stringContaining(`${name}: UNKNOWN`));
  expect(lines[0]).toContain('Whether the change was made is not known: read before you try again.');
});

test('a gateway that cannot be reached leaves it unknown, too: the request may have arrived', async () => {
  expect(await printed('http://127.0.0.1:1/graphql', 'token')).toEqual([
    'created: UNKNOWN fetch failed',
    'refused: UNKNOWN fetch failed',
    'missing: UNKNOWN fetch failed',
  ]);
});

test.each([
  ['a web page', { type: 'text/html', status: 502 }, '<h1>Bad Gateway</h1>'],
  ['nothing', { type: 'application/json', status: 503 }, ''],
  ['null', { type: 'application/json', status: 200 }, 'null'],
  [
    'an error without extensions',
    { type: 'application/json', status: 200 },
    '{"errors":[{"message":"No."}],"data":null}',
  ],
])('so does a proxy or a router that answers with %s', async (_case, { type, status }, body) => {
  const { url } = await stubUpstream((_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });

  const lines = await printed(url, 'token');

  expect(lines.map((line) => line.split(' ', 2))).toEqual([
    ['created:', 'UNKNOWN'],
    ['refused:', 'UNKNOWN'],
    ['missing:', 'UNKNOWN'],
  ]);
});

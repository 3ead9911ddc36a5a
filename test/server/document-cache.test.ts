import { type DocumentNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { createDocumentCache } from '../../src/operation/document-cache.ts';
import { running } from '../cli/trivium.ts';
import { peakBytes } from '../support/memory.ts';

const MB = 1024 ** 2;

const documentOf = (index: number, aliases: number) =>
  `query Q${index} { ${Array.from({ length: aliases }, (_none, alias) => `a${alias}: __typename`).join(' ')} }`;

/** Documents that a cache still has, of those that it was given. */
function kept(maxBytes: number, texts: readonly string[]): DocumentNode[] {
  const cache = createDocumentCache(maxBytes);
  for (const text of texts) cache.set(text, parse(text));
  return texts.map((text) => cache.get(text)).filter((document) => document !== undefined);
}

test('documents are kept as long as their texts and tokens fit into the bound', () => {
  const texts = Array.from({ length: 200 }, (_none, index) => documentOf(index, 300));
  // 900 tokens of 700 bytes, and 5,000 characters of 2 bytes: some 640 kB each
  expect(kept(MB, texts)).toHaveLength(1);
  expect(kept(10 * MB, texts)).toHaveLength(16);
  expect(kept(0, texts)).toEqual([]);
});

test('comments count as the tokens that they are', () => {
  const commented = (index: number) => `${'#\n'.repeat(20_000)} query Q${index} { __typename }`;
  expect(kept(20 * MB, [1, 2, 3].map(commented))).toHaveLength(1);
});

test('a long text is not kept at all', () => {
  const long = (index: number) => `query Q${index} { __typename } ${' '.repeat(100_000)}`;
  expect(kept(100 * MB, [1, 2].map(long))).toEqual([]);
});

test('a hundred documents with 2 MB of spaces each leave no trace in memory', async () => {
  const env = { PORT: '0', ACCOUNT_URL: 'http://127.0.0.1:1', MAX_TOKENS: '20000' };
  const { banner, pid } = await running(['serve'], /http\S+\/graphql/, { env });
  const [endpoint = ''] = /http\S+\/graphql/.exec(banner) ?? [];
  const send = async (index: number) => {
    const query = `query Q${index} { __typename ${' '.repeat(2_000_000)} }`;
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ query }) });
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  };
  for (let index = 0; index < 40; index++) await send(index);
  const before = peakBytes(pid);

  for (let index = 40; index < 140; index++) await send(index);

  expect((peakBytes(pid) - before) / MB).toBeLessThan(130); // they have 200 MB of text; what is not collected yet counts as well
});

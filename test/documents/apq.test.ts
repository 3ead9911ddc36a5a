import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { manifestFile, NOWHERE, type Parameters, send, sha256, type Way, WAYS } from './support.ts';

async function gateway(settings: Partial<Config> = {}) {
  const { url, logs } = await gatewayOver(NOWHERE, { APQ_CACHE_BYTES: 100_000, ...settings });
  return { url, logs, ask: (way: Way, parameters: Parameters) => send(url, way, parameters) };
}

const hashed = (text: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: sha256(text) } } });
const unknown = { status: 422, message: 'PersistedQueryNotFound', codes: ['PERSISTED_QUERY_NOT_FOUND'] };

describe.each(WAYS)('%s', (way) => {
  test('a document that is sent with its hash is known by the hash from then on', async () => {
    const { ask } = await gateway();
    const query = 'query Type { __typename }';
    const answer = { status: 200, data: { __typename: 'Query' } };
    expect(await ask(way, hashed(query))).toMatchObject(unknown);
    expect(await ask(way, { query })).toMatchObject(answer); // without a hash it is not kept
    expect(await ask(way, hashed(query))).toMatchObject(unknown);
    expect(await ask(way, { query, ...hashed(query) })).toMatchObject(answer);
    for (const each of WAYS) expect(await ask(each, hashed(query))).toMatchObject(answer);
    expect(await ask(way, { documentId: `sha256:${sha256(query)}` })).toMatchObject(answer);
    expect(await ask(way, { query, ...hashed(query) })).toMatchObject(answer);
  });

  test('a document with the hash of another one is refused, and not kept', async () => {
    const { ask } = await gateway();
    const query = '{ __typename }';
    const other = '{ __typename } # other';
    expect(await ask(way, { query, ...hashed(other) })).toMatchObject({
      status: 422,
      codes: ['PERSISTED_QUERY_MISMATCH'],
    });
    for (const each of [query, other]) expect(await ask(way, hashed(each))).toMatchObject(unknown);
  });

  test('a hash is that of the document, in either case of its digits, or nothing is executed', async () => {
    const query = '{ __typename }';
    const named = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
    const capitals = sha256(query).toUpperCase();
    const others = [sha256('{ other }'), sha256('{ other }').toUpperCase(), 'abc', `${capitals}0`, `x${capitals}`];
    const { url: plain } = await gatewayOver(NOWHERE, {});
    const { url, ask } = await gateway();
    for (const other of others) {
      for (const at of [plain, url]) {
        const answer = await send(at, way, { query, ...named(other) });
        expect(answer).toMatchObject({ status: 422, data: undefined, codes: ['PERSISTED_QUERY_MISMATCH'] });
      }
      expect(await ask(way, named(other))).toMatchObject(unknown);
    }
    expect(await send(plain, way, { query, ...named(capitals) })).toMatchObject({ status: 200 });
    expect(await ask(way, { query, ...named(capitals) })).toMatchObject({ status: 200 });
    for (const id of [capitals, sha256(query)]) expect(await ask(way, named(id))).toMatchObject({ status: 200 });
    const documentId = `sha256:${sha256(query)}`;
    expect(await ask(way, { documentId, ...named(capitals) })).toMatchObject({ status: 200 });
  });

  test('a document that is not valid is not kept', async () => {
    const { ask } = await gateway();
    for (const [query, status] of [
      ['{ broken', 400],
      ['{ gone }', 422],
      [`{ ${Array.from({ length: 60 }, (_, index) => `a${index}: __typename`).join(' ')} }`, 422],
    ] as const) {
      expect((await ask(way, { query, ...hashed(query) })).status).toBe(status);
      expect(await ask(way, hashed(query))).toMatchObject(unknown);
    }
  });

  test('a document with another id than its hash is executed, and not kept', async () => {
    const { ask } = await gateway();
    const query = '{ __typename }';
    expect(await ask(way, { query, documentId: 'mine' })).toMatchObject({ data: { __typename: 'Query' } });
    expect(await ask(way, { documentId: 'mine' })).toMatchObject(unknown);
  });
});

test('a GET with several ids is refused', async () => {
  const id = `documentId=sha256:${sha256('{ __typename }')}`;
  for (const settings of [{ APQ_CACHE_BYTES: 100_000 }, {}]) {
    const { url } = await gatewayOver(NOWHERE, settings);
    for (const query of ['', '&query={__typename}']) {
      const response = await fetch(`${url}/graphql?${id}&documentId=other${query}`, {
        headers: { accept: 'application/graphql-response+json' },
      });
      const { data, errors } = await response.json();
      expect({ status: response.status, data, code: errors[0].extensions.code }).toEqual({
        status: 422,
        code: 'BAD_USER_INPUT',
      });
    }
  }
});

test('a mutation that was kept is refused by GET', async () => {
  const { ask } = await gateway();
  const query = 'mutation { createApiToken(input: { name: "" }) { __typename } }';
  expect(await ask('POST', { query, ...hashed(query) })).toMatchObject({ status: 294 });
  expect(await ask('GET', hashed(query))).toMatchObject({ status: 405 });
});

test('the memory of kept documents is bounded: the least recently used one is forgotten', async () => {
  const { ask } = await gateway({ APQ_CACHE_BYTES: 3_000 });
  const documents = ['a', 'b', 'c', 'd'].map((name) => `{ ${name}: __typename ${' '.repeat(200)}}`);
  for (const query of documents) await ask('POST', { query, ...hashed(query) });
  const known = await Promise.all(documents.map(async (text) => (await ask('POST', hashed(text))).status));
  expect(known).toEqual([422, 200, 200, 200]);
  const huge = `{ __typename } #${'x'.repeat(3_000)}`;
  expect(await ask('POST', { query: huge, ...hashed(huge) })).toMatchObject({ status: 200 });
  expect(await ask('POST', hashed(huge))).toMatchObject(unknown);
});

test('kept documents stand beside trusted ones, and are not trusted', async () => {
  const trusted = '{ __typename @skip(if: false) }';
  const { ask, logs } = await gateway({ TRUSTED_DOCUMENTS: [await manifestFile({ tokens: trusted })] });
  const query = '{ __typename }';
  await ask('POST', { query, ...hashed(query) });
  expect(await ask('POST', hashed(query))).toMatchObject({ status: 200 });
  expect(await ask('POST', { documentId: 'tokens' })).toMatchObject({ status: 200 });
  expect(logs.map((line) => JSON.parse(line).documentId)).toEqual([undefined, undefined, 'tokens']);
});

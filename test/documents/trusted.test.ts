import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Config } from '../../src/config.ts';
import { PersistedDocuments } from '../../src/operation/documents/open.ts';
import { sharedDemo } from '../support/demo.ts';
import { manifestFile, type Parameters, send, sha256, type Way, WAYS } from './support.ts';

const TOKENS = 'query Tokens { apiTokens { name } }';
const TOKEN = 'query Token($id: ID!) { apiToken(id: $id) { name } } query Other { __typename }';
const CREATE = 'mutation Create { createApiToken(input: { name: "" }) { __typename } }';
const PARTS = 'query Parts { __typename ... @defer { apiTokens { name } } }';
const ids = { tokens: sha256(TOKENS), token: 'token-v1', create: 'c0ffee', parts: 'p4r75' };
const documents = { [ids.tokens]: TOKENS, [ids.token]: TOKEN, [ids.create]: CREATE, [ids.parts]: PARTS };

const demo = sharedDemo();

async function gateway(settings: Partial<Config> = {}) {
  const { url, logs } = await demo({ TRUSTED_DOCUMENTS: [await manifestFile(documents)], ...settings });
  return { url, logs, ask: (way: Way, parameters: Parameters) => send(url, way, parameters) };
}

const only = { TRUSTED_DOCUMENTS_ONLY: 'true' } as const;
const persistedQuery = (sha256Hash: unknown, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
});
const refused = (code: string, status = 422) => ({ status, codes: [code] });
const hasTokens = { status: 200, data: { apiTokens: expect.any(Array) } };
const hasType = { status: 200, data: { __typename: 'Query' } };

type Ask = Awaited<ReturnType<typeof gateway>>['ask'];

/** Sends each of these requests, and expects the same of all answers. */
async function expectEach(ask: Ask, way: Way, forms: readonly Parameters[], expected: object): Promise<void> {
  for (const form of forms) expect.soft(await ask(way, form), JSON.stringify(form)).toMatchObject(expected);
}

describe.each(WAYS)('%s', (way) => {
  test('a request names its document in each form that clients use', async () => {
    for (const settings of [{}, only]) {
      const { ask } = await gateway(settings);
      const forms = [
        { documentId: ids.tokens },
        { documentId: `sha256:${ids.tokens}` },
        persistedQuery(ids.tokens),
        { documentId: ids.tokens, ...persistedQuery(ids.tokens) },
        { documentId: `sha256:${ids.tokens}`, ...persistedQuery(ids.tokens) },
        { documentId: ids.tokens, query: TOKENS },
        { query: TOKENS, ...persistedQuery(ids.tokens) },
      ];
      await expectEach(ask, way, forms, hasTokens);
    }
  });

  test('an id that is no hash has variables and an operation name', async () => {
    const { ask } = await gateway(only);
    const token = { documentId: ids.token, variables: { id: 'ApiToken:0' }, operationName: 'Token' };
    const forms = [token, { ...token, documentId: `sha256:${sha256(TOKEN)}` }];
    await expectEach(ask, way, forms, { status: 200, data: { apiToken: null } });
    expect(await ask(way, { documentId: ids.token, operationName: 'Other' })).toMatchObject(hasType);
    const nobody = await ask(way, { documentId: ids.token, operationName: 'Nobody' });
    expect(nobody).toMatchObject({ codes: ['BAD_USER_INPUT'] });
  });

  test('an unknown id is refused, by another code where only trusted documents are executed', async () => {
    const unknown = ['unknown', sha256('{ __typename }'), '__proto__', 'constructor', 'toString', 'x'.repeat(5_000)];
    const forms = unknown.flatMap((id) => [{ documentId: id }, persistedQuery(id)]);
    const notFound = { ...refused('PERSISTED_QUERY_NOT_FOUND'), message: 'PersistedQueryNotFound' };
    await expectEach((await gateway()).ask, way, forms, notFound);
    const notListed = { ...refused('PERSISTED_QUERY_NOT_IN_LIST'), message: expect.stringContaining('manifest') };
    await expectEach((await gateway(only)).ask, way, forms, notListed);
  });

  test('a document that is not that of the id is refused', async () => {
    for (const settings of [{}, only]) {
      const { ask } = await gateway(settings);
      const forms = [
        { documentId: ids.token, query: TOKENS },
        { query: '{ __typename }', ...persistedQuery(ids.tokens) },
        { query: '{ __typename }', documentId: `sha256:${sha256('{ other }')}` },
      ];
      await expectEach(ask, way, forms, refused('PERSISTED_QUERY_MISMATCH'));
    }
  });

  test('a document with an id that the gateway does not know is executed, but where only trusted ones are', async () => {
    const sent = { query: '{ __typename }' };
    const forms = [sent, { ...sent, documentId: 'newer' }, { ...sent, ...persistedQuery(sha256(sent.query)) }];
    await expectEach((await gateway()).ask, way, forms, hasType);
    const idRequired = { ...refused('PERSISTED_QUERY_ID_REQUIRED'), data: undefined };
    await expectEach((await gateway(only)).ask, way, forms, idRequired);
  });

  test('where only trusted documents are executed, introspection and requests without any are refused', async () => {
    const { ask } = await gateway(only);
    const forms = [{ query: '{ __schema { queryType { name } } }' }, { query: '{ broken' }, {}];
    await expectEach(ask, way, forms, { codes: ['PERSISTED_QUERY_ID_REQUIRED'] });
  });

  test('a malformed id is refused', async () => {
    const { ask } = await gateway();
    const forms: Parameters[] = [
      { documentId: 'a', ...persistedQuery('b') },
      persistedQuery(ids.tokens, 2),
      persistedQuery(7),
      persistedQuery(''),
      { extensions: { persistedQuery: true } },
      ...(way === 'GET'
        ? []
        : [{ documentId: 7 }, { documentId: [ids.tokens] }, { documentId: '' }, { documentId: {} }]),
    ];
    await expectEach(ask, way, forms, refused('BAD_USER_INPUT'));
    const withDocuments = forms.map((form) => ({ query: TOKENS, ...form }));
    await expectEach(ask, way, withDocuments, { status: 422 });
    const message = expect.stringContaining('`documentId`');
    expect(await ask(way, {})).toMatchObject({ message, codes: ['BAD_USER_INPUT'] });
  });

  test('a mutation by its id is refused by GET', async () => {
    const { ask } = await gateway(only);
    const answer = await ask(way, { documentId: ids.create });
    if (way === 'GET') expect(answer).toMatchObject(refused('BAD_USER_INPUT', 405));
    else expect(answer).toMatchObject({ data: { createApiToken: { __typename: expect.any(String) } } });
  });

  test('a trusted document is executed in parts', async () => {
    const { url } = await gateway(only);
    const headers = { accept: 'multipart/mixed, application/json' };
    const { text, headers: answered } = await send(url, way, { documentId: ids.parts }, headers);
    expect(answered.get('content-type')).toMatch(/^multipart\/mixed/);
    expect(text).toContain('"incremental":[{');
    expect(await send(url, way, { documentId: ids.parts })).toMatchObject(hasTokens);
  });

  test('the cost of a trusted document is limited', async () => {
    const { ask } = await gateway({ ...only, MAX_COST: 2 });
    expect(await ask(way, { documentId: ids.tokens })).toMatchObject({ codes: ['QUERY_LIMIT_EXCEEDED'] });
  });

  test('the log has the id of a trusted document, whether it is named or sent, and a line for each refused request', async () => {
    const { ask, logs } = await gateway();
    await ask(way, { documentId: `sha256:${ids.tokens}` });
    await ask(way, { query: TOKENS });
    await ask(way, { query: '{ __typename }' });
    await ask(way, { documentId: 'canary' });
    const lines = logs.map((line) => JSON.parse(line));
    expect(lines.map(({ msg, operation, documentId }) => [msg, operation, documentId])).toEqual([
      ['operation', 'Tokens', ids.tokens],
      ['operation', 'Tokens', ids.tokens],
      ['operation', 'anonymous', undefined],
      ['refused', undefined, undefined],
    ]);
    expect(lines[3].errors).toEqual({ PERSISTED_QUERY_NOT_FOUND: 1 });
    expect(logs.join('')).not.toContain('canary');
  });

  test('documents by ids are executed over the schema of a subgraph', async () => {
    const file = await manifestFile({ service: '{ _service { sdl } }' });
    const { ask } = await gateway({ ...only, SUBGRAPH: 'true', TRUSTED_DOCUMENTS: [file] });
    const data = { _service: { sdl: expect.any(String) } };
    expect(await ask(way, { documentId: 'service' })).toMatchObject({ data });
  });

  test('without the setting an id is refused as unsupported, and a document with its hash runs', async () => {
    const { ask } = await gateway({ TRUSTED_DOCUMENTS: [] });
    const unsupported = { ...refused('PERSISTED_QUERY_NOT_SUPPORTED'), message: 'PersistedQueryNotSupported' };
    await expectEach(ask, way, [{ documentId: ids.tokens }, persistedQuery(ids.tokens)], unsupported);
    expect(await ask(way, { query: TOKENS, ...persistedQuery(sha256(TOKENS)) })).toMatchObject({ status: 200 });
  });

  test('the status of a refusal is 200 for a caller that accepts application/json only', async () => {
    const { url } = await gateway(only);
    const answer = await send(url, way, { documentId: 'unknown' }, { accept: 'application/json' });
    expect(answer).toMatchObject(refused('PERSISTED_QUERY_NOT_IN_LIST', 200));
  });
});

test('a trusted document by POST is answered without Yoga, and as Yoga answers it', async () => {
  const { url } = await gateway(only);
  const find = vi.spyOn(PersistedDocuments.prototype, 'find');
  onTestFinished(() => find.mockRestore());
  const direct = await send(url, 'POST', { documentId: ids.tokens });
  expect(find).toHaveBeenCalledTimes(1); // Yoga's plugins would ask again
  const throughYoga = await send(url, 'POST in chunks', { documentId: ids.tokens });
  expect(direct.text).toBe(throughYoga.text);
});

describe('web pages of other origins', () => {
  const cookie = { cookie: 'flex_key=0123456789abcdef' };

  test.each(WAYS)('%s: a document by its id is refused with their cookie', async (way) => {
    const { url } = await gateway(only);
    const evil = { ...cookie, origin: 'https://evil.example', 'graphql-require-preflight': '1' };
    expect(await send(url, way, { documentId: ids.tokens }, evil)).toMatchObject(refused('FORBIDDEN', 403));
  });

  test('a GET by an id needs the header of a preflight when it has a cookie', async () => {
    const { url } = await gateway(only);
    expect(await send(url, 'GET', { documentId: ids.tokens }, cookie)).toMatchObject({ status: 403 });
    const preflighted = { ...cookie, 'apollo-require-preflight': '1' };
    expect(await send(url, 'GET', { documentId: ids.tokens }, preflighted)).toMatchObject({ status: 200 });
  });

  test.each(WAYS)('%s: only a listed origin may read the answer', async (way) => {
    const { url } = await gateway({ ...only, CORS_ORIGINS: ['https://app.example'] });
    for (const documentId of [ids.tokens, 'unknown']) {
      const ask = async (origin: string) => (await send(url, way, { documentId }, { origin })).headers;
      expect((await ask('https://app.example')).get('access-control-allow-origin')).toBe('https://app.example');
      expect((await ask('https://evil.example')).get('access-control-allow-origin')).toBeNull();
    }
  });
});

test('where only trusted documents are executed, browsers get no pages', async () => {
  const { url } = await gateway(only);
  for (const path of ['/', '/schema.graphql']) expect((await fetch(url + path)).status).toBe(404);
  const page = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type')).not.toContain('text/html');
});

import { readFileSync } from 'node:fs';
import { buildSchema, parse } from 'graphql';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type Connection,
  headersOf,
  isRepeatable,
  newKey,
  renewals,
  rootFields,
  Session,
} from '../../kits/src/connection.ts';

const connection: Connection = { url: '', credentials: () => ({}) };

/** The mutations of the schema; `first-attempt.test.ts` sends each with a key, and `keyless-writes.test.ts` those that take none. */
function schemaMutations() {
  const type = buildSchema(readFileSync('schema.graphql', 'utf8')).getMutationType();
  return Object.keys(type?.getFields() ?? {});
}

const KEYLESS = ['createForumUser', 'createPublicFlexRecord', 'updatePublicFlexRecord', 'deletePublicFlexRecord'];

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the headers of credentials', () => {
  test('are those of all three, and of none that is missing', () => {
    expect(headersOf({ token: 'a', crmToken: 'b', forum: { login: 'demo', password: 'demo' } })).toEqual({
      authorization: 'Bearer a',
      'x-crm-token': 'b',
      'x-forum-authorization': 'Basic ZGVtbzpkZW1v',
    });
    expect(headersOf({ token: '', crmToken: undefined })).toEqual({});
  });

  test.each(['żółć', 'ключ:日本', '🔑', 'pässwörd', ' ', '\u0000\n'])('hold the password %j in UTF-8', (password) => {
    const { 'x-forum-authorization': header = '' } = headersOf({ forum: { login: 'łukasz', password } });
    const [scheme, encoded = ''] = header.split(' ');
    expect(scheme).toBe('Basic');
    expect(Buffer.from(encoded, 'base64').toString('utf8')).toBe(`łukasz:${password}`);
  });

  test('refuse a login with a colon, which would end it', () => {
    expect(() => headersOf({ forum: { login: 'a:b', password: 'c' } })).toThrow(TypeError);
  });
});

describe('a key', () => {
  const isKey = /^[\x21-\x7e]{20,255}$/;

  test('is another one each time', () => {
    const keys = Array.from({ length: 100 }, newKey);
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) expect(key).toMatch(isKey);
  });

  test('is made on a page without TLS, too, where browsers have no randomUUID', () => {
    const { crypto } = globalThis;
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const keys = Array.from({ length: 100 }, newKey);
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) expect(key).toMatch(isKey);
  });
});

describe('credentials that were refused', () => {
  const old = { authorization: 'Bearer old' };
  const connection = (renew?: Connection['renew']) => {
    const state = { token: 'old' };
    return { state, renewed: renewals({ url: '', credentials: () => state, renew }) };
  };

  test('are renewed once for all operations', async () => {
    const asked: (() => void)[] = [];
    const { state, renewed } = connection(() => new Promise<void>((resolve) => asked.push(resolve)));
    const waiting = Promise.all([renewed(old), renewed(old)]);
    expect(asked).toHaveLength(1);
    state.token = 'new';
    asked[0]?.();
    expect(await waiting).toEqual([true, true]);
  });

  test('are not renewed for an operation that was sent before others were', async () => {
    const renew = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const { state, renewed } = connection(renew);
    state.token = 'new';
    expect(await renewed(old)).toBe(true);
    expect(renew).not.toHaveBeenCalled();
  });

  test('may be renewed again when the new ones are refused', async () => {
    let renewals = 0;
    const { state, renewed } = connection(() => Promise.resolve((state.token = `new-${(renewals += 1)}`)));
    expect(await renewed(old)).toBe(true);
    expect(await renewed({ authorization: 'Bearer new-1' })).toBe(true);
    expect(renewals).toBe(2);
  });

  test('are the answer when the new ones are the same: they would be refused again and again', async () => {
    expect(await connection(() => Promise.resolve()).renewed(old)).toBe(false);
  });

  test('are the answer without new ones', async () => {
    expect(await connection().renewed(old)).toBe(false);
    expect(await connection(() => Promise.reject(new Error('Logged out.'))).renewed(old)).toBe(false);
  });
});

describe('a mutation', () => {
  const fieldsOf = (document: string) => rootFields(parse(document));
  const mutations = schemaMutations();

  test.each([
    ['mutation { createClient(input: {}) { __typename } }', ['createClient']],
    ['mutation { __typename created: createClient { id } payInvoice }', ['createClient', 'payInvoice']],
    ['mutation { createClient { createDeal } } fragment F on Client { createPost }', ['createClient']],
    ['query { clients } mutation M { createDeal } mutation N { payInvoice }', ['createDeal', 'payInvoice']],
    ['mutation { ...F ... on Mutation { createDeal } } fragment F on Mutation { createClient }', ['', '']],
    ['{ clients { totalCount } }', []],
  ])('%s has the root fields %j', (document, expected) => {
    expect(fieldsOf(document)).toEqual(expected);
  });

  test('of trivium that takes a key is repeated, by the list that is made of the schema', () => {
    const repeated = mutations.filter((name) => isRepeatable([name], connection));
    expect(repeated).toEqual(mutations.filter((name) => !KEYLESS.includes(name)));
  });

  test.each([
    ['of another subgraph', 'mutation { payInvoice(id: 7) { __typename } }'],
    ['beside one of another subgraph', 'mutation { createClient { id } payInvoice(id: 7) { __typename } }'],
    ['whose alias is a name of the list', 'mutation { createClient: payInvoice(id: 7) { __typename } }'],
    ['beside a fragment', 'mutation { createClient { id } ...F } fragment F on Mutation { createDeal { id } }'],
    ['beside one that takes no key', 'mutation { createClient { id } createForumUser { id } }'],
    ['with a name that only begins like one of the list', 'mutation { createClientele { id } }'],
    ['that cannot be read', 'query { clients { totalCount } }'],
  ])('%s is sent once', (_case, document) => {
    expect(isRepeatable(fieldsOf(document), connection)).toBe(false);
  });

  test('that the app adds is repeated, if all beside it are', () => {
    const keyedMutations = ['createTrackerTask', 'createPublicListsRow'];
    const isRepeated = (...fields: string[]) => isRepeatable(fields, { ...connection, keyedMutations });
    expect(isRepeated('createTrackerTask')).toBe(true);
    expect(isRepeated('createTrackerTask', 'createClient')).toBe(true);
    expect(isRepeated('createTrackerTask', 'payInvoice')).toBe(false);
    expect(isRepeated('createPublicListsRow')).toBe(true); // its name says nothing: it is that of a private table
    expect(isRepeated('createPublicShopRow')).toBe(false);
  });
});

describe('a session', () => {
  const begin = () => {
    const onRefused = vi.fn<() => void>();
    return { onRefused, session: new Session({ token: 'first' }, onRefused) };
  };

  test('lets operations wait for other credentials, and go on with these', async () => {
    const { session, onRefused } = begin();
    const waiting = session.renew();
    expect(onRefused).toHaveBeenCalledOnce();
    session.goOn({ token: 'second' });
    await waiting;
    expect(session.credentials()).toEqual({ token: 'second' });
  });

  test('asks again when those are refused, too', async () => {
    const { session, onRefused } = begin();
    for (const token of ['second', 'third']) {
      const waiting = session.renew();
      session.goOn({ token });
      await waiting;
    }
    expect(onRefused).toHaveBeenCalledTimes(2);
    expect(session.credentials()).toEqual({ token: 'third' });
  });

  test('that is over leaves a refusal to those who wait, and asks for nothing when another one comes', async () => {
    const { session, onRefused } = begin();
    const waiting = session.renew();
    session.end();
    await expect(waiting).rejects.toThrow('logged out');
    await expect(session.renew()).rejects.toThrow('logged out');
    expect(onRefused).toHaveBeenCalledOnce();
  });

  test('of two clients asks once, and nothing changes it after its end', async () => {
    const { session, onRefused } = begin();
    const waiting = [session.renew(), session.renew()];
    expect(onRefused).toHaveBeenCalledOnce();
    session.goOn({ token: 'second' });
    await Promise.all(waiting);
    session.end();
    session.goOn({ token: 'of the next user' });
    expect(session.credentials()).toEqual({ token: 'second' });
  });

  test('is spread into a connection', () => {
    expect(Object.keys({ ...begin().session })).toEqual(['credentials', 'renew']);
  });
});

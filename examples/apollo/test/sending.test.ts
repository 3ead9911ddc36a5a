// How often, and with what, the link of the kit sends an operation.
import { ApolloLink, CombinedGraphQLErrors, gql, type TypedDocumentNode } from '@apollo/client';
import { connect, createLink } from 'trivium-kits/apollo';
import type { Connection, Credentials } from 'trivium-kits/connection';
import { outcomeOf } from 'trivium-kits/outcome';
import { type Sandbox, startSandbox } from 'trivium-kits/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClientDocument } from '../src/documents.ts';

// A gateway for this file: receipts know the records of earlier tests, so each test has names of its own.
let gateway: Sandbox;
beforeAll(async () => {
  gateway = await startSandbox({ main: '../../dist/main.js' });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.recover());

type Send = () => Promise<Response>;

/** The headers of each request to an endpoint. What answers a request may be another thing than the gateway. */
function watch(endpoint: string, answer: (number: number, send: Send) => Promise<Response> = (_, send) => send()) {
  const requests: Headers[] = [];
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    if (input !== endpoint) return fetch(input, init);
    requests.push(new Headers(init?.headers));
    return answer(requests.length, () => fetch(input, init));
  });
  onTestFinished(() => spy.mockRestore());
  return requests;
}

/** The gateway carries the first request out, and its answer is lost. */
const loseFirst = async (number: number, send: Send) => {
  const response = await send();
  if (number === 1) throw new TypeError('The connection is lost.');
  return response;
};

const client = (options: Partial<Connection>) =>
  connect({ url: gateway.endpoint, credentials: () => ({ token: 'demo-admin' }), delayMs: 10, ...options });

/** How many clients have this name. */
async function countOf(name: string): Promise<number> {
  const response = await fetch(new URL('/app/clients.json?api_token=demo-admin', gateway.url));
  const clients = (await response.json()) as { name: string }[];
  return clients.filter((each) => each.name === name).length;
}

const count = gql('{ clients { totalCount } }');
const valuesOf = (requests: readonly Headers[], header: string) => requests.map((headers) => headers.get(header));

test('a mutation of which one write was made is not sent under other credentials', async () => {
  const requests = watch(gateway.endpoint);
  let login = 'nobody';
  const renew = vi.fn<() => Promise<void>>(async () => void (login = 'demo'));
  const both = gql`
    mutation {
      createClient(input: { name: "Made beside a refusal" }) {
        __typename
      }
      createForumPost(input: { title: "Refused", content: "Refused" }) {
        __typename
      }
    }
  `;
  const credentials = () => ({ token: 'demo-admin', forum: { login, password: 'wrong' } });
  const { data, error } = await client({ credentials, renew }).mutate({ mutation: both });
  expect(data).toMatchObject({ createClient: { __typename: 'Client' } });
  expect(CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.['code']).toBe('UNAUTHENTICATED');
  expect(await countOf('Made beside a refusal')).toBe(1);
  expect(requests).toHaveLength(1);
  expect(renew).not.toHaveBeenCalled();
});

describe('all attempts are counted together', () => {
  test('when each renewal brings another refused token', async () => {
    const requests = watch(gateway.endpoint);
    let number = 1;
    const renew = async () => void (number += 1);
    const { error } = await client({ credentials: () => ({ token: `refused-${number}` }), renew }).query({
      query: count,
    });
    expect(String(error)).toContain('refused');
    expect(valuesOf(requests, 'authorization')).toEqual([1, 2, 3, 4, 5].map((each) => `Bearer refused-${each}`));
  });

  test('when connections are lost between renewals', async () => {
    const requests = watch(gateway.endpoint, (number, send) =>
      number % 2 === 1 ? Promise.reject(new TypeError('The connection is lost.')) : send(),
    );
    let number = 1;
    const renew = async () => void (number += 1);
    const query = client({ credentials: () => ({ token: `refused-${number}` }), renew }).query({ query: count });
    expect(String((await query).error)).toContain('lost');
    expect(requests).toHaveLength(5);
  });
});

describe('a write', () => {
  test('whose answer is lost keeps its credentials and its key, when the app has others meanwhile', async () => {
    const tokens = ['demo-admin', 'demo-member'];
    const requests = watch(gateway.endpoint, loseFirst);
    const credentials = (): Credentials => ({ token: tokens.shift() ?? 'demo-member' });
    const name = 'Made once, under one token';
    const { data } = await client({ credentials }).mutate({
      mutation: createClientDocument,
      variables: { input: { name } },
    });
    expect(data?.createClient).toMatchObject({ __typename: 'Client', name });
    expect(await countOf(name)).toBe(1);
    expect(valuesOf(requests, 'authorization')).toEqual(['Bearer demo-admin', 'Bearer demo-admin']);
    expect(new Set(valuesOf(requests, 'idempotency-key')).size).toBe(1);
  });

  test('has another key under the credentials of a renewal', async () => {
    const requests = watch(gateway.endpoint);
    let token = 'refused';
    const renew = async () => void (token = 'demo-admin');
    const result = await client({ credentials: () => ({ token }), renew }).mutate({
      mutation: createClientDocument,
      variables: { input: { name: 'Made after a renewal' } },
    });
    expect(outcomeOf(result).outcome).toBe('APPLIED');
    const [first, second] = valuesOf(requests, 'idempotency-key');
    expect(requests).toHaveLength(2);
    expect(first).toBeTruthy();
    expect(second).toBeTruthy();
    expect(second).not.toBe(first);
  });
});

describe('a mutation that takes no key', () => {
  interface Written {
    readonly __typename: string;
  }
  const register = (login: string): TypedDocumentNode<{ createForumUser: Written | null }> => gql`
    mutation {
      createForumUser(input: { login: "${login}", email: "${login}@here.example", password: "long enough" }) {
        __typename
      }
    }
  `;
  const sign: TypedDocumentNode<{ createPublicFlexRecord: Written | null }> = gql`
    mutation {
      createPublicFlexRecord(code: "guestbook", data: { message: "Signed by the kit" }) {
        __typename
      }
    }
  `;
  const credentials = (): Credentials => ({ token: 'demo-admin', forum: { login: 'demo', password: 'demo' } });
  const visitor = (options: Partial<Connection> = {}) => client({ credentials, ...options });
  const aKey = expect.stringMatching(/^[\da-f-]{36}$/) as string;
  const keysOf = (requests: readonly Headers[]) => valuesOf(requests, 'idempotency-key');
  const registrations = async () => {
    const calls = await gateway.calls();
    return calls.filter(({ endpoint }) => endpoint === 'POST /app/users.xml').length;
  };

  test.each<[string, Partial<Connection>, Record<string, string>]>([
    ['of its own', {}, {}],
    ['of its caller', {}, { 'idempotency-key': 'form-7' }],
    ['of its caller, in capitals', {}, { 'Idempotency-Key': 'form-7' }],
    ['of a connection with one attempt', { attempts: 1 }, {}],
  ])('is sent a second time, without the key %s', async (name, options, headers) => {
    const requests = watch(gateway.endpoint);
    const before = await registrations();
    const mutation = register(`new-here-${name.length}`);
    const result = await visitor(options).mutate({ mutation, context: { headers } });
    expect(outcomeOf(result)).toMatchObject({ outcome: 'APPLIED', record: { __typename: 'CreatedForumUser' } });
    expect(keysOf(requests)).toEqual([Object.values(headers)[0] ?? aKey, null]);
    expect(valuesOf(requests, 'authorization')).toEqual(['Bearer demo-admin', 'Bearer demo-admin']);
    expect((await registrations()) - before).toBe(1);
  });

  test('of a public method is, too', async () => {
    const requests = watch(gateway.endpoint);
    expect(outcomeOf(await visitor().mutate({ mutation: sign })).outcome).toBe('APPLIED');
    expect(keysOf(requests)).toEqual([aKey, null]);
  });

  test('is not sent again when the answer of the second time is lost, also where the app says that it keeps to a key', async () => {
    const requests = watch(gateway.endpoint, async (number, send) => {
      const response = await send();
      if (number === 2) throw new TypeError('The connection is lost.');
      return response;
    });
    const before = await registrations();
    const keyedMutations = ['createForumUser'];
    const result = await visitor({ keyedMutations }).mutate({ mutation: register('lost-here') });
    expect(outcomeOf(result).outcome).toBe('UNKNOWN');
    expect(keysOf(requests)).toEqual([aKey, null]);
    expect((await registrations()) - before).toBe(1);
  });

  test('is not sent again when the gateway does not know what became of it', async () => {
    const requests = watch(gateway.endpoint);
    await gateway.fault({ endpoint: 'POST /app/users.xml', applyThenCut: 'before-status', times: 1 });
    const result = await visitor().mutate({ mutation: register('unknown-here') });
    expect(outcomeOf(result).outcome).toBe('UNKNOWN');
    expect(keysOf(requests)).toEqual([aKey, null]);
  });

  test('is sent once when there is no answer to the first time', async () => {
    const requests = watch(gateway.endpoint, loseFirst);
    const { error } = await visitor().mutate({ mutation: register('never-here') });
    expect(String(error)).toContain('lost');
    expect(keysOf(requests)).toEqual([aKey]);
  });

  test('is not sent again without a key where that is refused, too', async () => {
    const errors = [{ message: 'No key.', extensions: { code: 'IDEMPOTENCY_KEY_NOT_TAKEN', outcome: 'REFUSED' } }];
    const requests = watch(gateway.endpoint, () => Promise.resolve(Response.json({ data: null, errors })));
    const result = await visitor().mutate({ mutation: sign });
    expect(outcomeOf(result)).toMatchObject({ outcome: 'REFUSED', message: 'No key.' });
    expect(requests).toHaveLength(2);
  });

  test('beside a write that was made is refused', async () => {
    const requests = watch(gateway.endpoint);
    const both: TypedDocumentNode<Record<'createClient' | 'createPublicFlexRecord', Written | null>> = gql`
      mutation {
        createClient(input: { name: "Made beside one without a key" }) {
          __typename
        }
        createPublicFlexRecord(code: "guestbook", data: { message: "Hi" }) {
          __typename
        }
      }
    `;
    const result = await visitor().mutate({ mutation: both });
    expect(outcomeOf(result, 'createClient').outcome).toBe('APPLIED');
    expect(outcomeOf(result, 'createPublicFlexRecord')).toMatchObject({
      outcome: 'REFUSED',
      message: expect.stringContaining('in a document of its own, without the header') as string,
    });
    expect(await countOf('Made beside one without a key')).toBe(1);
    expect(keysOf(requests)).toEqual([aKey]);
  });
});

describe('an answer with deferred parts', () => {
  /** The answers of a query until its end, in their order. */
  const answersOf = (text: string, options: Pick<Connection, 'credentials' | 'renew'>) =>
    new Promise<ApolloLink.Result[]>((resolve, reject) => {
      const answers: ApolloLink.Result[] = [];
      const query = gql(text);
      const context = { http: { accept: ['multipart/mixed;deferSpec=20220824'] } };
      const link = createLink({ url: gateway.endpoint, delayMs: 10, ...options });
      ApolloLink.execute(link, { query, context }, { client: client({}) }).subscribe({
        next: (answer) => void answers.push(answer),
        error: reject,
        complete: () => resolve(answers),
      });
    });

  test('ends when it is refused: nothing of it comes after the new one', async () => {
    const requests = watch(gateway.endpoint);
    let token = 'refused';
    const renew = vi.fn<() => Promise<void>>(async () => void (token = 'demo-admin'));
    const query = '{ apiTokens { name } ... @defer { clients { totalCount } } }';
    const credentials = () => ({ token, crmToken: 'demo-member' }); // the deferred part of the refused answer is read, too
    const answers = await answersOf(query, { credentials, renew });
    expect(requests).toHaveLength(2);
    expect(renew).toHaveBeenCalledOnce();
    expect(answers[0]).toMatchObject({ data: { apiTokens: expect.any(Array) as unknown } });
    expect(JSON.stringify(answers)).not.toContain('errors');
    expect(answers.filter((answer) => 'data' in answer)).toHaveLength(1);
    expect(JSON.stringify(answers).match(/totalCount/g)).toHaveLength(1);
  });

  test('is asked for again when a deferred part is refused', async () => {
    const requests = watch(gateway.endpoint);
    let crmToken = 'refused';
    const renew = vi.fn<() => Promise<void>>(async () => void (crmToken = 'demo-member'));
    const query = '{ apiTokens { name } ... @defer { clients { totalCount } } }';
    const credentials = () => ({ token: 'demo-admin', crmToken });
    const answers = await answersOf(query, { credentials, renew });
    expect(requests).toHaveLength(2);
    expect(JSON.stringify(answers)).not.toContain('errors');
    expect(JSON.stringify(answers)).toMatch(/"totalCount":\d/);
  });

  test('goes on where there are no other credentials', async () => {
    const query = '{ apiTokens { name } ... @defer { clients { totalCount } } }';
    const answers = await answersOf(query, {
      credentials: () => ({ token: 'refused', crmToken: 'demo-member' }),
      renew: () => Promise.reject(new Error('The user has logged out.')),
    });
    expect(answers[0]).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    expect(JSON.stringify(answers)).toMatch(/"totalCount":\d/);
  });
});

describe('a request that the gateway refuses in application/json', () => {
  const codesOf = (error: unknown) =>
    CombinedGraphQLErrors.is(error) ? error.errors.map(({ extensions }) => extensions?.['code']) : String(error);

  test('has the errors of the body, and is not waited for longer than ten seconds', async () => {
    const limited = await startSandbox({ main: '../../dist/main.js', settings: { RATE_LIMIT: '1' } });
    onTestFinished(() => limited.stop());
    const requests = watch(limited.endpoint);
    const app = client({ url: limited.endpoint });
    await app.query({ query: count });
    const { error } = await app.query({ query: count, fetchPolicy: 'network-only' });
    expect(codesOf(error)).toEqual(['RATE_LIMITED']);
    expect(requests).toHaveLength(2);
  });

  test('is sent again after retryAfter', async () => {
    const times: number[] = [];
    const extensions = { code: 'OVERLOADED', retryAfter: 1 };
    const overloaded = () => Response.json({ errors: [{ message: 'Too busy.', extensions }] }, { status: 503 });
    watch(gateway.endpoint, (number, send) => {
      times.push(performance.now());
      return number === 1 ? Promise.resolve(overloaded()) : send();
    });
    const { data, error } = await client({}).query({ query: count });
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ clients: { totalCount: expect.any(Number) as number } });
    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThan(950);
  });

  test('has the errors of the body when they do not end', async () => {
    const errors = [{ message: 'Too busy.', extensions: { code: 'OVERLOADED' } }];
    const requests = watch(gateway.endpoint, () => Promise.resolve(Response.json({ errors }, { status: 503 })));
    const { error } = await client({}).query({ query: count });
    expect(codesOf(error)).toEqual(['OVERLOADED']);
    expect(requests).toHaveLength(5);
  });
});

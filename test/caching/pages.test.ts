import { describe, expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { pageListMs } from '../../src/calls/cache/settings.ts';
import { stoppedClock } from '../support/clock.ts';
import { gatewayOver } from '../support/gateway.ts';
import { railsUpstream } from '../support/rails-upstream.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// Pages of one list, over an upstream that sends no validators: PAGE_LIST_MS.

const LIST = '200 GET /app/clients.json';

/** A client of the CRM. */
interface Client {
  readonly id: number;
  readonly name: string;
}

const clientsUpTo = (count: number): Client[] =>
  Array.from({ length: count }, (_none, at): Client => ({ id: at + 1, name: `Client ${at + 1}` }));

/** Answers a write by what it sent, and reads by the list. */
async function pagedCrm(
  clients: Client[],
  settings: Partial<Config> = {},
  validators: () => Record<string, string> = () => ({}),
) {
  const upstream = await railsUpstream(
    ({ method, url = '' }) => {
      if (url.startsWith('/app/clients.json') && method === 'GET') return { body: JSON.stringify(clients) };
      return { body: url.startsWith('/app/deals.json') || url === '/app.json' ? '[]' : '{"id":1}' };
    },
    { validators },
  );
  const over = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), ...settings }, 'token');
  const ask = async (query: string, variables: Record<string, unknown> = {}, token = 'crm') => {
    const response = await fetch(`${over.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-crm-token': token },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    expect(errors).toBeUndefined();
    return data;
  };
  /** A page of names, and its calls. */
  const page = async (args: Record<string, unknown>, token = 'crm', more = '') => {
    let shown: { clients: { nodes: { name: string }[]; pageInfo: { endCursor: string } } } | undefined;
    const query = `query ($first: Int, $after: String, $last: Int, $before: String) {
      clients(first: $first, after: $after, last: $last, before: $before ${more}) { nodes { name } pageInfo { endCursor startCursor } }
    }`;
    const calls = await upstream.during(async () => void (shown = await ask(query, args, token)));
    const { nodes = [], pageInfo } = shown?.clients ?? {};
    return { calls, names: nodes.map(({ name }) => name), after: pageInfo?.endCursor };
  };
  return { ...over, upstream, ask, page };
}

describe('a page', () => {
  test('is cut from the list that its cursor came from: ten pages are one call', async () => {
    const { page } = await pagedCrm(clientsUpTo(100));
    const calls: string[] = [];
    const names: string[] = [];
    let after: string | undefined;
    for (let at = 0; at < 10; at += 1) {
      const shown = await page({ first: 10, after });
      calls.push(...shown.calls);
      names.push(...shown.names);
      after = shown.after;
    }
    expect(names).toEqual(clientsUpTo(100).map(({ name }) => name));
    expect(calls).toEqual([LIST]);
  });

  test('without a cursor reads the list: it may have changed', async () => {
    const clients = clientsUpTo(5);
    const { page } = await pagedCrm(clients);
    await page({ first: 2 });
    clients.unshift({ id: 9, name: 'New' });
    expect(await page({ first: 2 })).toMatchObject({ calls: [LIST], names: ['New', 'Client 1'] });
  });

  test('reads the list once it is older than PAGE_LIST_MS', async () => {
    const clock = stoppedClock();
    const { page } = await pagedCrm(clientsUpTo(9), { PAGE_LIST_MS: 10_000 });
    const { after } = await page({ first: 3 });
    clock.pass(9_999);
    expect(await page({ first: 3, after })).toMatchObject({ calls: [], names: ['Client 4', 'Client 5', 'Client 6'] });
    clock.pass(1);
    expect(await page({ first: 3, after })).toMatchObject({ calls: [LIST] });
  });

  test('of another credential reads a list of its own', async () => {
    const { page } = await pagedCrm(clientsUpTo(9));
    const { after } = await page({ first: 3 });
    expect(await page({ first: 3, after }, 'other')).toMatchObject({ calls: [LIST] });
  });

  test('reads the list after a write of the gateway to what it shows, by any caller', async () => {
    const { page, execute } = await pagedCrm(clientsUpTo(9));
    const write = (mutation: string) =>
      execute(`mutation { ${mutation} { __typename } }`, { headers: { 'x-crm-token': 'b' } });
    const { after } = await page({ first: 3 });
    await write('createContactList(input: { name: "x" })');
    expect(await page({ first: 3, after })).toMatchObject({ calls: [] });
    await write('updateClient(id: 1, input: { name: "x" })');
    expect(await page({ first: 3, after })).toMatchObject({ calls: [LIST] });
  });

  test('reads the list when the one that is kept lacks its row', async () => {
    const clients = clientsUpTo(9);
    const { page } = await pagedCrm(clients);
    await page({ first: 3 });
    clients.push({ id: 10, name: 'Client 10' });
    expect(await page({ first: 3, after: 'offset:9:10' })).toMatchObject({ calls: [LIST], names: [] });
  });

  test('reads the list for a cursor that is an offset alone, as there were before', async () => {
    const { page } = await pagedCrm(clientsUpTo(9));
    await page({ first: 3 });
    expect(await page({ first: 3, after: 'offset:2' })).toMatchObject({
      calls: [LIST],
      names: ['Client 4', 'Client 5', 'Client 6'],
    });
  });

  test('may go backwards, in an order, and with a filter', async () => {
    const { page } = await pagedCrm(clientsUpTo(9));
    const backwards = await page({ last: 3 });
    expect(backwards.names).toEqual(['Client 7', 'Client 8', 'Client 9']);
    expect(await page({ last: 3, before: 'offset:6:7' })).toMatchObject({
      calls: [],
      names: ['Client 4', 'Client 5', 'Client 6'],
    });
    const order = 'orderBy: [{ field: ID, direction: DESC }], filter: { text: "Client" }';
    const { after } = await page({ first: 2 }, 'crm', order);
    expect(await page({ first: 2, after }, 'crm', order)).toMatchObject({ calls: [], names: ['Client 7', 'Client 6'] });
  });

  test('is older than no other read of its operation', async () => {
    const clients = clientsUpTo(5);
    const { page, ask, upstream } = await pagedCrm(clients);
    const { after } = await page({ first: 2 });
    clients[0] = { id: 1, name: 'Changed' };
    let shown: unknown;
    const query = `{ clients(first: 1, after: "${after}") { nodes { name } } again: clients(first: 1) { nodes { name } } client(id: 1) { id } }`;
    const calls = await upstream.during(async () => void (shown = await ask(query)));
    const nodesOf = (...names: string[]) => ({ nodes: names.map((name) => ({ name })) });
    expect(shown).toEqual({ clients: nodesOf('Client 3'), again: nodesOf('Changed'), client: { id: 'Client:1' } });
    expect(calls).toEqual([LIST, '200 GET /app/clients/1.json']);
  });
});

test('a list that was overtaken by a younger one does not take its place', async () => {
  const older = JSON.stringify(clientsUpTo(3));
  const younger = JSON.stringify([{ id: 9, name: 'New' }, ...clientsUpTo(3)]);
  const upstream = await stubUpstream((request, response) => {
    if (upstream.received.length > 1) return says(younger)(request, response);
    void page().then(() => says(older)(request, response)); // the first call ends after the second one
  });
  const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), SHARE_READS: 'false' });
  const page = async (after = '') => {
    const query = `{ clients(first: 1 ${after}) { nodes { name } pageInfo { endCursor } } }`;
    return (await execute(query, { headers: { 'x-crm-token': 'crm' } })).data;
  };
  expect(await page()).toMatchObject({ clients: { nodes: [{ name: 'Client 1' }] } });
  expect(await page('after: "offset:0:9"')).toMatchObject({ clients: { nodes: [{ name: 'Client 1' }] } });
  expect(upstream.received).toHaveLength(2);
});

test('a list of which nobody has a cursor is not kept', async () => {
  const { ask, page, upstream } = await pagedCrm(clientsUpTo(9));
  await upstream.during(() => ask('{ clients(first: 3) { nodes { name } pageInfo { hasNextPage } } }'));
  expect(await page({ first: 3, after: 'offset:2:3' })).toMatchObject({ calls: [LIST] });
  expect(await page({ first: 3, after: 'offset:5:6' })).toMatchObject({ calls: [] });
});

test('upstream is asked for each page where it sends validators', async () => {
  const { page } = await pagedCrm(clientsUpTo(9), {}, () => ({ etag: '"a"' }));
  const { after } = await page({ first: 3 });
  expect(await page({ first: 3, after })).toMatchObject({ calls: ['304 GET /app/clients.json'] });
});

test.each([{ PAGE_LIST_MS: 0 }, { ANSWER_CACHE_BYTES: 0 }])('each page reads the list with %j', async (settings) => {
  const { page } = await pagedCrm(clientsUpTo(9), settings);
  const { after } = await page({ first: 3 });
  expect(await page({ first: 3, after })).toMatchObject({ calls: [LIST] });
});

describe('PAGE_LIST_MS', () => {
  test.each([
    ['30 s', {}, 30_000],
    ['what is set', { PAGE_LIST_MS: '5000' }, 5_000],
    ['0 where nothing is kept', { ANSWER_CACHE_BYTES: '0' }, 0],
  ])('is %s', (_name, settings, ms) => {
    expect(pageListMs(readConfig(settings))).toBe(ms);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSubgraphs, type Subgraphs } from '../src/graph.ts';
import { admin, type Ask, codes } from './support/ask.ts';
import { received } from './support/watch.ts';
import { type Routers, routers, startRouters } from './support/routers.ts';

let graph: Subgraphs;
let behind: Routers;

beforeAll(async () => {
  graph = await startSubgraphs();
  behind = await startRouters(graph);
});
afterAll(async () => {
  await behind.close();
  await graph.close();
});

describe.each(routers)('%s', (router) => {
  const ask: Ask = (...operation) => behind.ask[router](...operation);

  const TOKENS = '{ apiTokens(scope: ACCOUNT) { name } invoices(first: 1) { id } }';
  const invoices = [{ id: 'I-1000' }];

  test('trivium knows the caller by the Authorization header of the request', async () => {
    const allowed = await ask(TOKENS);
    expect(allowed).toMatchObject({ data: { apiTokens: [{ name: 'Web shop' }], invoices }, errors: [] });

    const member = await ask(TOKENS, { authorization: 'Bearer demo-member' });
    expect(member.data).toEqual({ apiTokens: null, invoices });
    expect(codes(member)).toEqual([['FORBIDDEN', 'apiTokens']]);
  });

  test('callers at the same time are not taken for each other', async () => {
    const callers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'demo-admin' : 'demo-member'));
    const results = await Promise.all(callers.map((token) => ask(TOKENS, { authorization: `Bearer ${token}` })));
    expect(results.map(({ errors }) => errors.length)).toEqual(
      callers.map((token) => (token === 'demo-admin' ? 0 : 1)),
    );
  });

  test('without a credential the fields of trivium are UNAUTHENTICATED, and billing answers', async () => {
    const nobody = await ask('{ forumMe { name } invoices(first: 2) { id client { name balance } } }', {});
    expect(nobody.data).toEqual({
      forumMe: null,
      invoices: [
        { id: 'I-1000', client: { name: null, balance: 155_750 } },
        { id: 'I-1001', client: { name: null, balance: expect.any(Number) } },
      ],
    });
    expect(codes(nobody)).toEqual([
      ['UNAUTHENTICATED', 'forumMe'],
      ['UNAUTHENTICATED', expect.stringMatching(/^invoices\.0\.client/)],
      ['UNAUTHENTICATED', expect.stringMatching(/^invoices\.1\.client/)],
    ]);
  });

  test('a record that cannot be read is null for one reason, also where a field of it is never null', async () => {
    const nobody = await ask('{ invoices(first: 1) { client { id name } } }', {});
    expect(nobody.data).toEqual({ invoices: [{ client: null }] });
    expect(codes(nobody)).toEqual([['UNAUTHENTICATED', expect.stringMatching(/^invoices\.0\.client/)]]);
  });

  test('X-CRM-Token and X-Forum-Authorization are forwarded, each to its own API', async () => {
    const query = '{ dashboards { name } clients(first: 1) { nodes { id } } forumMe { name } }';
    const known = await ask(query, { ...admin, 'x-crm-token': 'demo-editor' });
    expect(known).toMatchObject({ data: { clients: { nodes: [{ id: 'Client:1' }] } }, errors: [] });

    const refused = await ask(query, { ...admin, 'x-crm-token': 'unknown' });
    expect(refused.data).toMatchObject({ clients: null, forumMe: expect.anything(), dashboards: expect.anything() });
    expect(codes(refused)).toEqual([['UNAUTHENTICATED', 'clients']]);

    const stranger = await ask(query, { ...admin, 'x-forum-authorization': `Basic ${btoa('demo:wrong')}` });
    expect(stranger.data).toMatchObject({ clients: expect.anything(), forumMe: null });
    expect(codes(stranger)).toEqual([['UNAUTHENTICATED', 'forumMe']]);
  });

  test('no credential of trivium reaches billing or reviews, and no cookie', async () => {
    const [atBilling, atReviews] = [received(graph.billing), received(graph.reviews)];
    const canaries = {
      authorization: 'Bearer canary-1',
      'x-crm-token': 'canary-2',
      'x-forum-authorization': `Basic ${btoa('canary:3')}`,
      cookie: 'flex_key=canary-4',
    };
    await ask(
      '{ invoices(first: 1) { client { name balance } } topReviews { record { table averageRating } } }',
      canaries,
    );
    await ask('{ clients { nodes { balance } } }', { ...canaries, authorization: 'Bearer demo-admin' });

    expect(atBilling.length).toBeGreaterThan(0);
    expect(atReviews.length).toBeGreaterThan(0);
    const names = [...atBilling, ...atReviews].flatMap((headers) => Object.keys(headers));
    expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/authorization|token|cookie/)]));
    expect(JSON.stringify([atBilling, atReviews])).not.toMatch(/canary|demo-admin|Y2FuYXJ5/);
  });
});

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Running, type Settings, startTrivium } from '../../trivium.ts';
import { startGraph } from '../src/graph.ts';
import { asker, codes } from './support/ask.ts';
import { type Before, routers } from './support/routers.ts';

/** A field of each API of trivium, and of each of the others. */
const EVERYTHING = `{
  invoices(first: 2) { id client { name balance } }
  topReviews(first: 1) { stars record { data(fields: ["name"]) averageRating } }
  dashboards { name }
  forumPosts { nodes { title } }
}`;

const client = { name: expect.any(String), balance: expect.any(Number) };
const all = {
  invoices: [
    { id: 'I-1000', client },
    { id: 'I-1001', client },
  ],
  topReviews: [{ stars: 5, record: { data: { name: expect.any(String) }, averageRating: expect.any(Number) } }],
  dashboards: expect.arrayContaining([{ name: 'Company overview' }]),
  forumPosts: { nodes: expect.arrayContaining([{ title: expect.any(String) }]) },
};

let sandbox: Running;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(() => sandbox.close());

const startSandbox = () => startTrivium(['sandbox', '--port', '0']);

/** The graph behind a router, with trivium over this sandbox, whose addresses `settings` may replace. */
async function graphOver({ banner }: Running, before: Before, settings: Settings = {}) {
  const [account = '', forum = ''] = banner.match(/http\S+/g) ?? [];
  const upstreams = { ACCOUNT_URL: account, CRM_URL: account, FORUM_URL: forum, CRM_SHARES_TOKEN: 'true', ...settings };
  const graph = await startGraph({ settings: upstreams });
  onTestFinished(() => graph.close());
  const router = await before(graph);
  onTestFinished(() => router.close());
  return { ...graph, ask: asker(router.url) };
}

/** An address at which nobody listens: a free port could be that of another test a moment later. */
const DEAD_ADDRESS = 'http://127.0.0.1:1';

test.each(['billing', 'trivium'] as const)('the example names a subgraph that is down: %s', async (name) => {
  const graph = await startGraph({ settings: { LOG_LEVEL: 'warn' } });
  onTestFinished(() => graph.close());
  await graph[name].close();
  const { errors } = await asker(graph.url)('{ invoices(first: 1) { client { name } } }');
  expect(errors).toMatchObject([
    {
      message: `The subgraph ${name} did not answer.`,
      extensions: { code: 'SUBGRAPH_UNAVAILABLE', serviceName: name },
    },
  ]);
});

test('of an answer that is no GraphQL the example tells the status, and no address', async () => {
  const graph = await startGraph({ settings: { LOG_LEVEL: 'warn', MAX_REQUEST_BYTES: '500' } });
  onTestFinished(() => graph.close());
  const { errors } = await asker(graph.url)('{ invoices(first: 50) { client { name } } }');
  expect(errors).toMatchObject([{ message: 'The subgraph trivium answered with the status 413.' }]);
  expect(JSON.stringify(errors)).not.toMatch(/127\.0\.0\.1|http:/);
});

describe.each(routers)('$router', ({ before }) => {
  test('a forum that is down costs the fields of the forum', async () => {
    const { ask } = await graphOver(sandbox, before, { FORUM_URL: DEAD_ADDRESS });
    const result = await ask(EVERYTHING);
    expect(result.data).toEqual({ ...all, forumPosts: null });
    expect(codes(result)).toEqual([['UPSTREAM_UNAVAILABLE', 'forumPosts']]);
    expect(result.errors[0]?.extensions).toMatchObject({
      serviceName: 'trivium',
      upstream: { api: 'forum', endpoint: 'GET /' },
    });
  });

  test('a CRM that is down costs the fields of the CRM, and its writes: what billing knows of a client stays', async () => {
    const { ask } = await graphOver(sandbox, before, { CRM_URL: DEAD_ADDRESS });
    const result = await ask(EVERYTHING);
    const unnamed = { name: null, balance: expect.any(Number) };
    expect(result.data).toEqual({
      ...all,
      invoices: [
        { id: 'I-1000', client: unnamed },
        { id: 'I-1001', client: unnamed },
      ],
    });
    expect(codes(result)).toEqual([
      ['UPSTREAM_UNAVAILABLE', expect.stringMatching(/^invoices\.0\.client/)],
      ['UPSTREAM_UNAVAILABLE', expect.stringMatching(/^invoices\.1\.client/)],
    ]);

    // An error of a mutation says that its write was not carried out.
    const { data, errors } = await ask('mutation { createClient(input: { name: "Ada" }) { __typename } }');
    expect(data).toEqual({ createClient: null });
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'REFUSED' } }]);
  });

  test('with all of them up, all of it is answered; an API that then goes down costs its own fields', async () => {
    const own = await startSandbox();
    onTestFinished(() => own.close());
    const { ask } = await graphOver(own, before);
    expect(await ask(EVERYTHING)).toEqual({ data: all, errors: [] });
    await own.close();
    const result = await ask(EVERYTHING);
    expect(result.data).toMatchObject({ dashboards: null, forumPosts: null, invoices: [{ id: 'I-1000' }, {}] });
    expect(new Set(codes(result).map(([code]) => code))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
  });

  test('billing that is down costs the fields of billing', async () => {
    const { ask, billing } = await graphOver(sandbox, before);
    await billing.close();
    const result = await ask(`{
      clients(first: 1) { nodes { name balance } }
      topReviews(first: 1) { stars record { data(fields: ["name"]) averageRating } }
    }`);
    expect(result.data).toEqual({
      clients: { nodes: [{ name: expect.any(String), balance: null }] },
      topReviews: all.topReviews,
    });
    expect(result.errors).toHaveLength(1);
    expect(JSON.stringify(result.errors)).not.toMatch(/127\.0\.0\.1|http:/);
  });

  test('trivium that is down costs the fields of trivium', async () => {
    const { ask, trivium } = await graphOver(sandbox, before);
    await trivium.close();
    const result = await ask('{ invoices(first: 1) { id client { name balance } } dashboards { name } }');
    expect(result.data).toEqual({
      invoices: [{ id: 'I-1000', client: { name: null, balance: 155_750 } }],
      dashboards: null,
    });
    expect(JSON.stringify(result.errors)).not.toMatch(/127\.0\.0\.1|http:/);
  });
});

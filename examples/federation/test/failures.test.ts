import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Running, type Settings, startTrivium } from '../../trivium.ts';
import { startGraph, startSubgraphs } from '../src/graph.ts';
import { asker, codes } from './support/ask.ts';
import { routers, startRouters } from './support/routers.ts';

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
beforeAll(async () => (sandbox = await startTrivium(['sandbox', '--port', '0'])));
afterAll(() => sandbox.close());

/** The graph behind all routers, with trivium over this sandbox, whose addresses `settings` may replace. */
async function graphOver({ banner }: Running, settings: Settings = {}) {
  const [account = '', forum = ''] = banner.match(/http\S+/g) ?? [];
  const upstreams = { ACCOUNT_URL: account, CRM_URL: account, FORUM_URL: forum, CRM_SHARES_TOKEN: 'true', ...settings };
  const graph = await startSubgraphs(upstreams);
  onTestFinished(() => graph.close());
  const behind = await startRouters(graph);
  onTestFinished(() => behind.close());
  return { ...graph, behind: routers.map((router) => behind.ask[router]) };
}

/** An address at which nobody listens: a free port could be that of another test a moment later. */
const DEAD_ADDRESS = 'http://127.0.0.1:1';

test('the example names a subgraph that is down; of an answer that is no GraphQL it tells the status, and no address', async () => {
  const graph = await startGraph({ settings: { LOG_LEVEL: 'warn', MAX_REQUEST_BYTES: '500' } });
  onTestFinished(() => graph.close());
  const ask = asker(graph.url);
  const { errors } = await ask('{ invoices(first: 50) { client { name } } }');
  expect(errors).toMatchObject([{ message: 'The subgraph trivium answered with the status 413.' }]);
  expect(JSON.stringify(errors)).not.toMatch(/127\.0\.0\.1|http:/);

  for (const name of ['trivium', 'billing'] as const) {
    await graph[name].close();
    expect((await ask('{ invoices(first: 1) { client { name } } }')).errors).toMatchObject([
      {
        message: `The subgraph ${name} did not answer.`,
        extensions: { code: 'SUBGRAPH_UNAVAILABLE', serviceName: name },
      },
    ]);
  }
});

describe(`behind ${routers.join(', ')}`, () => {
  test('a forum and a CRM that are down cost their fields, and the writes of the CRM: what billing knows of a client stays', async () => {
    const { behind } = await graphOver(sandbox, { FORUM_URL: DEAD_ADDRESS, CRM_URL: DEAD_ADDRESS });
    for (const ask of behind) {
      const result = await ask(EVERYTHING);
      const unnamed = { name: null, balance: expect.any(Number) };
      expect(result.data).toEqual({
        ...all,
        forumPosts: null,
        invoices: [
          { id: 'I-1000', client: unnamed },
          { id: 'I-1001', client: unnamed },
        ],
      });
      expect(codes(result)).toHaveLength(3);
      expect(codes(result)).toEqual(
        expect.arrayContaining([
          ['UPSTREAM_UNAVAILABLE', 'forumPosts'],
          ['UPSTREAM_UNAVAILABLE', expect.stringMatching(/^invoices\.0\.client/)],
          ['UPSTREAM_UNAVAILABLE', expect.stringMatching(/^invoices\.1\.client/)],
        ]),
      );
      expect(result.errors.find(({ path }) => path?.[0] === 'forumPosts')?.extensions).toMatchObject({
        serviceName: 'trivium',
        upstream: { api: 'forum', endpoint: 'GET /' },
      });

      // An error of a mutation says that its write was not carried out.
      const { data, errors } = await ask('mutation { createClient(input: { name: "Ada" }) { __typename } }');
      expect(data).toEqual({ createClient: null });
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'REFUSED' } }]);
    }
  });

  test('with all of them up, all of it is answered; what then goes down costs its own fields: billing, APIs, trivium', async () => {
    const { behind, billing, trivium } = await graphOver(sandbox);
    for (const ask of behind) expect(await ask(EVERYTHING)).toEqual({ data: all, errors: [] });

    await billing.close();
    for (const ask of behind) {
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
    }

    await sandbox.close(); // no test comes after this one
    for (const ask of behind) {
      const result = await ask('{ topReviews(first: 1) { id } dashboards { name } forumPosts { nodes { title } } }');
      expect(result.data).toEqual({ topReviews: [{ id: expect.any(String) }], dashboards: null, forumPosts: null });
      expect(new Set(codes(result).map(([code]) => code))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
    }

    await trivium.close();
    for (const ask of behind) {
      const result = await ask('{ topReviews(first: 1) { stars record { table averageRating } } dashboards { name } }');
      expect(result.data).toEqual({
        topReviews: [{ stars: 5, record: { table: null, averageRating: expect.any(Number) } }],
        dashboards: null,
      });
      expect(JSON.stringify(result.errors)).not.toMatch(/127\.0\.0\.1|http:/);
    }
  });
});

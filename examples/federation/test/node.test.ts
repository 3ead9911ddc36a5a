import { composeServices } from '@theguild/federation-composition';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startSubgraphs, type Subgraphs } from '../src/graph.ts';
import type { Ask } from './support/ask.ts';
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

const compiler = fileURLToPath(new URL('../node_modules/relay-compiler/cli.js', import.meta.url));

/** What Relay's compiler makes of a fragment and a query over the graph: the text of each operation, by its name. */
async function compiled(source: string): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { trivium, billing, reviews, nodes } = graph;
  const services = [trivium, billing, reviews, nodes].map(({ name, url, sdl }) => ({
    name,
    url,
    typeDefs: parse(sdl),
  }));
  const { publicSdl = '' } = composeServices(services);
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'schema.graphql'), publicSdl);
  await writeFile(join(folder, 'src', 'Balance.ts'), source);
  const config = { src: './src', schema: './schema.graphql', language: 'typescript', artifactDirectory: './made' };
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config));
  await mkdir(join(folder, 'made'));
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: folder });
  const operations = new Map<string, string>();
  for (const file of await readdir(join(folder, 'made'))) {
    const [, text] = /"text": (".*")/.exec(await readFile(join(folder, 'made', file), 'utf8')) ?? [];
    if (text !== undefined) operations.set(file.replace('.graphql.ts', ''), z.string().parse(JSON.parse(text)));
  }
  return operations;
}

const source = `
  import { graphql } from 'react-relay';
  graphql\`fragment Balance_client on Client @refetchable(queryName: "BalanceRefetchQuery") { name balance }\`;
  graphql\`query BalanceQuery { clients(first: 1) { nodes { ...Balance_client } } }\`;
`;

test("Relay's compiler makes a query of node for a fragment with @refetchable, which each router answers", async () => {
  const operations = await compiled(source);
  expect([...operations.keys()].sort()).toEqual(['BalanceQuery', 'BalanceRefetchQuery']);
  const query = operations.get('BalanceRefetchQuery') ?? '';
  expect(query).toContain('node(id: $id)');
  const node = { __typename: 'Client', id: 'Client:1', name: expect.any(String), balance: 155_750 };
  for (const router of routers) {
    const text = query.replace(/\(\s*\$id: ID!\s*\)/, '').replace('$id', '"Client:1"');
    expect(await behind.ask[router](text)).toEqual({ data: { node }, errors: [] });
  }
});

describe.each(routers)('%s', (router) => {
  const ask: Ask = (...operation) => behind.ask[router](...operation);

  test('node and nodes have the fields of each subgraph', async () => {
    const { data, errors } = await ask(`{
      node(id: "Deal:1") { __typename id ... on Deal { name client { name balance } } }
      nodes(ids: ["Client:2", "Dashboard:1", "Parcel:1"]) { id ... on Client { balance } ... on Dashboard { name } }
    }`);
    expect(errors).toEqual([]);
    expect(data).toEqual({
      node: {
        __typename: 'Deal',
        id: 'Deal:1',
        name: expect.any(String),
        client: { name: expect.any(String), balance: expect.any(Number) },
      },
      nodes: [{ id: 'Client:2', balance: expect.any(Number) }, { id: 'Dashboard:1', name: expect.any(String) }, null],
    });
  });

  test('of a record that is gone the id is left, and the other fields are null without an error', async () => {
    const { data, errors } = await ask('{ node(id: "Client:99999") { id ... on Client { name } } }');
    expect({ data, errors }).toEqual({ data: { node: { id: 'Client:99999', name: null } }, errors: [] });
  });
});

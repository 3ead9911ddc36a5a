import { composeServices } from '@apollo/composition';
import { composeServices as composeForHive } from '@theguild/federation-composition';
import { federateSubgraphs } from '@wundergraph/composition';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildSchema, isObjectType, parse } from 'graphql';
import { beforeAll, expect, test } from 'vitest';

const trivium = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const sdlOf = (name: string) => readFileSync(new URL(`../src/${name}.graphql`, import.meta.url), 'utf8');

let services: { name: string; url: string; typeDefs: ReturnType<typeof parse> }[] = [];

beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [trivium, 'schema', '--subgraph'], { env: {} });
  services = Object.entries({ trivium: stdout, billing: sdlOf('billing'), reviews: sdlOf('reviews') }).map(
    ([name, sdl]) => ({ name, url: `http://${name}.example/graphql`, typeDefs: parse(sdl) }),
  );
});

test('@apollo/composition composes the three, and has nothing to remark', () => {
  const { errors, hints, supergraphSdl } = composeServices(services);
  expect(errors).toBeUndefined();
  expect(hints).toEqual([]);
  expect(supergraphSdl).toContain('@join__type(graph: BILLING, key: "upstreamId")');
});

test('@theguild/federation-composition, for Hive, composes the three', () => {
  const { errors, supergraphSdl } = composeForHive(services);
  expect(errors).toBeUndefined();
  expect(supergraphSdl).toContain('@join__type(graph: BILLING, key: "upstreamId")');
});

test('@wundergraph/composition, for Cosmo, composes the three without a warning', () => {
  const subgraphs = services.map(({ name, url, typeDefs }) => ({ name, url, definitions: typeDefs }));
  const result = federateSubgraphs({ subgraphs });
  expect(result).toMatchObject({ success: true, warnings: [] });
});

test('the graph has no `node`: one subgraph cannot answer for all', () => {
  const { publicSdl = '' } = composeForHive(services);
  const { Query } = buildSchema(publicSdl).getTypeMap();
  const fields = isObjectType(Query) ? Object.keys(Query.getFields()) : [];
  expect(fields).toEqual(expect.arrayContaining(['clients', 'invoices', 'topReviews']));
  expect(fields).not.toContain('node');
  expect(fields).not.toContain('nodes');
});

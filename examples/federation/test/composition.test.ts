import { composeServices } from '@apollo/composition';
import { composeServices as composeForHive } from '@theguild/federation-composition';
import { federateSubgraphs } from '@wundergraph/composition';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildSchema, isObjectType, parse } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';

const trivium = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const demoSnapshot = new URL('../../codegen/flex.schema.json', import.meta.url);
const sdlOf = (name: string) => readFileSync(new URL(`../src/${name}.graphql`, import.meta.url), 'utf8');

/** The subgraphs of the example, with those that trivium's command prints with these options. */
async function servicesWith(...options: readonly string[]) {
  const [own, nodes] = await Promise.all([printed(...options), printed('--stubs', ...options)]);
  if (options.length === 0) expect(nodes).toBe(sdlOf('nodes'));
  return Object.entries({ trivium: own, billing: sdlOf('billing'), reviews: sdlOf('reviews'), nodes }).map(service);
}

const service = ([name, sdl]: readonly [string, string]) => ({
  name,
  url: `http://${name}.example/graphql`,
  typeDefs: parse(sdl),
});

/** What trivium's command prints with these options. */
const printed = async (...options: readonly string[]) => {
  const limits = { env: {}, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, [trivium, 'schema', '--subgraph', ...options], limits);
  return stdout;
};

let services: Awaited<ReturnType<typeof servicesWith>> = [];

describe.each([
  ['the four', []],
  ['the four, with types of tables,', ['--flex-schema', fileURLToPath(demoSnapshot)]],
])('%s', (_name, options) => {
  beforeAll(async () => {
    services = await servicesWith(...options);
  });

  test('@apollo/composition composes them, and has nothing to remark', () => {
    const { errors, hints, supergraphSdl } = composeServices(services);
    expect(errors).toBeUndefined();
    expect(hints).toEqual([]);
    expect(supergraphSdl).toContain('@join__type(graph: BILLING, key: "upstreamId")');
  });

  test('@theguild/federation-composition, for Hive, composes them', () => {
    const { errors, supergraphSdl } = composeForHive(services);
    expect(errors).toBeUndefined();
    expect(supergraphSdl).toContain('@join__type(graph: BILLING, key: "upstreamId")');
  });

  test('@wundergraph/composition, for Cosmo, composes them without a warning', () => {
    const subgraphs = services.map(({ name, url, typeDefs }) => ({ name, url, definitions: typeDefs }));
    const result = federateSubgraphs({ subgraphs });
    expect(result).toMatchObject({ success: true, warnings: [] });
  });

  test('the graph has `node` and `nodes` of the stubs alone: one subgraph cannot answer for all', () => {
    const fieldsOf = (subgraphs: typeof services) => {
      const { errors, publicSdl = '' } = composeForHive(subgraphs);
      expect(errors).toBeUndefined();
      const { Query } = buildSchema(publicSdl).getTypeMap();
      return isObjectType(Query) ? Object.keys(Query.getFields()) : [];
    };
    const fields = fieldsOf(services);
    expect(fields).toEqual(expect.arrayContaining(['clients', 'invoices', 'node', 'nodes', 'topReviews']));
    expect(fields.includes('tracker')).toBe(options.length > 0);
    const others = fieldsOf(services.filter(({ name }) => name !== 'nodes'));
    expect(fields.filter((field) => !others.includes(field)).sort()).toEqual(['node', 'nodes']);
  });
});

test('a subgraph with errors of its own needs their fields, and may leave `current` null', async () => {
  const others = await servicesWith();
  const withErrors = (fields: string) => {
    const sdl = `
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@shareable"])
      type Query { stock: Stock }
      union Stock = Amount | ConflictError
      type Amount { pieces: Int }
      interface Node { id: ID! }
      interface MutationError { message: String! }
      type ConflictError implements MutationError @shareable { message: String! ${fields} }`;
    return composeServices([...others, { name: 'stock', url: 'http://stock.example', typeDefs: parse(sdl) }]);
  };
  expect(withErrors('current: Node').errors).toBeUndefined();
  expect(withErrors('').errors).toMatchObject([{ message: expect.stringContaining('"ConflictError.current"') }]);
});

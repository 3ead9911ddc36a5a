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

/** Three subgraphs, trivium among them: as its command prints it with these options. */
async function servicesWith(...options: readonly string[]) {
  return Object.entries({
    trivium: await printed(...options),
    billing: sdlOf('billing'),
    reviews: sdlOf('reviews'),
  }).map(service);
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
  ['the three', []],
  ['the three, with types of tables,', ['--flex-schema', fileURLToPath(demoSnapshot)]],
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

  test('a subgraph with errors of its own needs their fields, and may leave `current` null', () => {
    const withErrors = (fields: string) => {
      const sdl = `
        extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@shareable"])
        type Query { stock: Stock }
        union Stock = Amount | ConflictError
        type Amount { pieces: Int }
        interface Node { id: ID! }
        interface MutationError { message: String! }
        type ConflictError implements MutationError @shareable { message: String! ${fields} }`;
      return composeServices([...services, { name: 'stock', url: 'http://stock.example', typeDefs: parse(sdl) }]);
    };
    expect(withErrors('current: Node').errors).toBeUndefined();
    expect(withErrors('').errors).toMatchObject([{ message: expect.stringContaining('"ConflictError.current"') }]);
  });

  test('with the stubs of its entities the graph has `node` and `nodes`, in each composition', async () => {
    const stubs = await printed('--stubs', ...options);
    if (options.length === 0) expect(sdlOf('nodes')).toBe(stubs);
    const withNodes = [...services, service(['nodes', stubs])];
    const apollo = composeServices(withNodes);
    expect(apollo.errors).toBeUndefined();
    expect(apollo.hints).toEqual([]);
    expect(
      federateSubgraphs({ subgraphs: withNodes.map(({ typeDefs, ...rest }) => ({ ...rest, definitions: typeDefs })) }),
    ).toMatchObject({ success: true, warnings: [] });
    const { errors, publicSdl = '' } = composeForHive(withNodes);
    expect(errors).toBeUndefined();
    expect(publicSdl).toMatch(/ node\(id: ID!\): Node\n/);
  });

  test('without them the graph has no `node`: one subgraph cannot answer for all', () => {
    const { publicSdl = '' } = composeForHive(services);
    const { Query } = buildSchema(publicSdl).getTypeMap();
    const fields = isObjectType(Query) ? Object.keys(Query.getFields()) : [];
    expect(fields).toEqual(expect.arrayContaining(['clients', 'invoices', 'topReviews']));
    expect(fields).not.toContain('node');
    expect(fields).not.toContain('nodes');
    expect(fields.includes('tracker')).toBe(options.length > 0);
  });
});

import { composeServices } from '@apollo/composition';
import { composeSchemaContract, composeServices as composeForHive } from '@theguild/federation-composition';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildSchema, type GraphQLNamedType, isObjectType, parse } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';

const trivium = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const demoSnapshot = fileURLToPath(new URL('../../codegen/flex.schema.json', import.meta.url));

/** trivium as its command prints it, with types of tables. */
let subgraph: ReturnType<typeof service>;

beforeAll(async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [trivium, 'schema', '--subgraph', '--flex-schema', demoSnapshot],
    { env: { SUBGRAPH_TAGS: 'true' }, maxBuffer: 64 * 1024 * 1024 },
  );
  subgraph = service('trivium', stdout);
});

function service(name: string, sdl: string) {
  return { name, url: `http://${name}.example/graphql`, typeDefs: parse(sdl) };
}

const apis = ['account', 'flex', 'crm', 'forum'];

/** Types of one API. */
const own: Readonly<Record<string, readonly string[]>> = {
  account: ['ApiToken', 'Dashboard', 'DashboardWidget'],
  flex: ['FlexDb', 'FlexRecord', 'PublicFlexDb'],
  crm: ['Client', 'Contact', 'ContactList', 'Deal', 'Post'],
  forum: ['ForumPost', 'ForumCategory', 'ForumUser'],
};

const fieldsOf = (type: GraphQLNamedType | undefined) => (isObjectType(type) ? Object.keys(type.getFields()) : []);

describe('a contract', () => {
  /** The graph of a contract that includes tags, and excludes others. */
  function contract(include: readonly string[], exclude: readonly string[] = ['write', 'secret']) {
    const filter = { include: new Set(include), exclude: new Set(exclude) };
    const { errors, publicSdl = '' } = composeSchemaContract([subgraph], filter);
    expect(errors).toBeUndefined();
    return buildSchema(publicSdl).getTypeMap();
  }

  test.each(apis)('%s alone, without writes and without secrets, has of the others ids of records at most', (api) => {
    const { Query, Mutation, ...types } = contract([api]);
    for (const other of apis) {
      for (const name of own[other] ?? []) {
        const fields = fieldsOf(types[name]);
        if (other === api) expect(fields.length).toBeGreaterThan(1);
        else expect([[], ['id']]).toContainEqual(fields);
      }
    }
    expect(Mutation).toBeUndefined();
    expect(fieldsOf(types['Client'])).not.toEqual(expect.arrayContaining(['token']));
    expect(fieldsOf(types['Client'])).not.toEqual(expect.arrayContaining(['raw']));
    expect(fieldsOf(types['Post'])).not.toEqual(expect.arrayContaining(['uid']));
    expect(fieldsOf(types['Post'])).not.toEqual(expect.arrayContaining(['raw']));
    expect(fieldsOf(Query).includes('tracker')).toBe(api === 'flex');
    expect(fieldsOf(Query).includes('search')).toBe(api !== 'account');
  });

  test('two APIs have the whole records that link them', () => {
    const { ForumPost, Post } = contract(['crm', 'forum']);
    expect(fieldsOf(ForumPost)).toEqual(expect.arrayContaining(['post', 'title']));
    expect(fieldsOf(Post)).toEqual(expect.arrayContaining(['forumPost', 'title']));
  });

  test.each(apis)('the writes of %s compose, too, without those that tell a secret alone', (api) => {
    const { Mutation, CreatedApiToken } = contract([api], ['secret']);
    expect(fieldsOf(Mutation).length).toBeGreaterThan(1);
    expect(fieldsOf(CreatedApiToken)).toEqual(api === 'account' ? ['apiToken'] : []);
  });

  test('without an inclusion all APIs are there, without writes and secrets', () => {
    const { Query, Client } = contract([]);
    expect(fieldsOf(Query)).toEqual(
      expect.arrayContaining(['apiTokens', 'flexDbs', 'clients', 'forumPosts', 'search']),
    );
    expect(fieldsOf(Client)).not.toContain('token');
  });

  test('@apollo/composition composes the tags', () => {
    const { errors, supergraphSdl } = composeServices([subgraph]);
    expect(errors).toBeUndefined();
    expect(supergraphSdl).toContain('@tag(name: "crm")');
  });
});

const link = `extend schema @link(
  url: "https://specs.apollo.dev/federation/v2.3"
  import: ["@key", "@external", "@provides", "@shareable", "@override"]
)`;

describe('another subgraph', () => {
  /** Composes trivium with a service of these definitions. @returns the codes of what does not compose */
  function codesWith(definitions: string, compose: typeof composeServices | typeof composeForHive = composeForHive) {
    const { errors = [] } = compose([subgraph, service('other', `${link} ${definitions}`)]);
    return errors.map(({ extensions }) => extensions['code']);
  }

  test('may provide what it has at hand of a record: its name, address, title', () => {
    const codes = codesWith(
      `
      type Query { bills: [Bill!] }
      type Bill @key(fields: "id") {
        id: ID!
        client: Client @provides(fields: "name email address { city }")
        contact: Contact @provides(fields: "name email")
        post: Post @provides(fields: "title")
        idea: ForumPost @provides(fields: "title")
      }
      type Client @key(fields: "upstreamId") { upstreamId: ID! name: String @external email: String @external address: ClientAddress! @external }
      type ClientAddress @shareable { city: String }
      type Contact @key(fields: "upstreamId") { upstreamId: ID! name: String @external email: String @external }
      type Post @key(fields: "upstreamId") { upstreamId: ID! title: String @external }
      type ForumPost @key(fields: "upstreamId") { upstreamId: ID! title: String @external }`,
      composeServices,
    );
    expect(codes).toEqual([]);
  });

  test('may have a value type of trivium with the same fields, such as the error of a field', () => {
    const codes = codesWith(`
      type Query { problems: [FieldError!] }
      type FieldError @shareable { field: String! messages: [String!]! }`);
    expect(codes).toEqual([]);
  });

  test('with a root field of trivium collides, and takes it over by @override', () => {
    const client = (directive = '') => `type Query { client(id: ID!): Client ${directive} }
      type Client @key(fields: "upstreamId") { upstreamId: ID! }`;
    expect(codesWith(client())).toContain('INVALID_FIELD_SHARING');
    expect(codesWith(client('@override(from: "trivium")'))).toEqual([]);
  });

  test('with an enum of trivium needs its values', () => {
    const sorted = (values: string) =>
      `type Query { bills(by: SortDirection): [String!] sorted: SortDirection } enum SortDirection { ${values} }`;
    expect(codesWith(sorted('UP DOWN'))).not.toEqual([]);
    expect(codesWith(sorted('ASC DESC'))).toEqual([]);
  });
});

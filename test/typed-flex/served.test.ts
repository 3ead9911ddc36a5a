import { writeFile } from 'node:fs/promises';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import {
  buildSchema,
  findBreakingChanges,
  isObjectType,
  lexicographicSortSchema,
  parse,
  print,
  validateSchema,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { graphiqlTabs } from '../../src/cli/graphiql-tabs.ts';
import { ConfigError } from '../../src/config.ts';
import { checkedManifests } from '../../src/edge/checked-manifests.ts';
import { createGateway } from '../../src/edge/server.ts';
import { type ServedSchema, servedSchema } from '../../src/apis/served-schema.ts';
import { sharedDemo } from '../support/demo.ts';
import { testConfig } from '../support/gateway.ts';
import { sharedDemoSnapshot, snapshotFile, textFile } from './snapshot-files.ts';

const demo = sharedDemo();
const file = sharedDemoSnapshot();
let typed: ServedSchema;

beforeAll(async () => {
  typed = await servedSchema({ FLEX_SCHEMA: file() });
});

describe('a gateway with FLEX_SCHEMA', () => {
  test('answers all other fields as before, and serves the schema that the command prints', async () => {
    const { ask, url } = await demo({ FLEX_SCHEMA: file() });
    const data = await ask('{ flexDb(id: "tracker") { code search(table: "tasks", first: 1) { nodes { data } } } }');
    expect(data).toMatchObject({
      flexDb: { code: 'tracker', search: { nodes: [{ data: { title: expect.any(String) } }] } },
    });
    expect(await (await fetch(`${url}/schema.graphql`)).text()).toBe(typed.printed());
  });

  test('names types of tables where an id is none, 20 types at most', async () => {
    const nowhere = '{ node(id: "Nope:1") { id } }';
    const { execute } = await demo({ FLEX_SCHEMA: file() });
    expect((await execute(nowhere)).errors).toMatchObject([
      { message: expect.stringMatching(/ Types: ApiToken, .*, TrackerTask\b.*\w\.$/) },
    ]);

    const databases = Array.from({ length: 30 }, (_, n) => {
      return { id: `${n}`, code: `shop${n}`, schema: { fields: { title: 'string' } } };
    });
    const FLEX_SCHEMA = await snapshotFile(...databases);
    const many = /^[^:]+:[^:]+:\d+\. Types: (\w+, ){19}\w+ and 22 more\.$/; // 12 of the other APIs, and 30
    expect((await (await demo({ FLEX_SCHEMA })).execute(nowhere)).errors).toMatchObject([
      { message: expect.stringMatching(many) },
    ]);
    const router = await demo({ FLEX_SCHEMA, SUBGRAPH: 'true' });
    const told = await router.execute('{ _entities(representations: [{ __typename: "Nope" }]) { __typename } }');
    expect(told.errors).toMatchObject([{ message: expect.stringMatching(/ and 22 more\.$/) }]);
  });

  test('knows the cost of typed lists, and traces and logs their operations', async () => {
    const { url, logs } = await demo({ FLEX_SCHEMA: file(), TRACE: 'true' });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-admin' };
    const query = 'query Tasks { tracker { tasks(first: 7) { nodes { id title } } } }';
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'x-trivium-cost': '1', 'x-trivium-trace': '1' },
      body: JSON.stringify({ query }),
    });
    const { extensions } = await response.json();
    expect(extensions).toMatchObject({
      cost: { requested: 9 }, // the database, the connection, and its rows
      trace: { operation: 'Tasks', calls: [{ paths: ['tracker.tasks'] }] },
    });
    expect(logs.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ operation: 'Tasks', upstreamCalls: 1, errors: {} }),
    );
  });

  test('opens GraphiQL with a tab of the first table, which shows rows of the demo', async () => {
    const [tab, ...others] = graphiqlTabs(true, typed.model).defaultTabs ?? [];
    expect(others).toEqual(graphiqlTabs(true).defaultTabs);
    expect(tab?.headers).toContain('Bearer demo-admin');
    const { ask, sandbox } = await demo({ FLEX_SCHEMA: file() });
    expect(await ask(tab?.query ?? '')).toMatchObject({
      products: { rows: { nodes: Array.from({ length: 5 }, () => ({ name: expect.any(String) })) } },
    });
    expect(sandbox.calls()).toHaveLength(1);
  });

  test('names tables in that tab on one line, whatever they are called', () => {
    const name = 'a\n{ canary }';
    const [database] = (typed.model?.databases ?? []).map((first) => ({
      ...first,
      key: name,
      tables: first.tables.map((table) => ({ ...table, name })),
    }));
    const [tab] = graphiqlTabs(false, { databases: database ? [database] : [] }).defaultTabs ?? [];
    expect(() => parse(tab?.query ?? '')).not.toThrow();
    expect(print(parse(tab?.query ?? ''))).not.toContain('canary');
  });

  test('keeps the names of typed fields where secrets are removed, as upstream and as GraphQL have them', async () => {
    const names = ['dueAt', 'due_at', 'assignee', 'clients', 'canary'];
    expect(names.map(typed.isFieldName)).toEqual([true, true, true, true, false]);
  });
});

describe('the printed schema', () => {
  test('is a valid one, in alphabetical order, and the same each time', async () => {
    const text = typed.printed();
    expect((await servedSchema({ FLEX_SCHEMA: file() })).printed()).toBe(text);
    const built = buildSchema(text);
    expect(validateSchema(built)).toEqual([]);
    const sorted = printSchemaWithDirectives(lexicographicSortSchema(built));
    expect(text.replaceAll(/\n\n(?= )/g, '\n')).toBe(`${sorted}\n\ndirective @oneOf on INPUT_OBJECT\n`);
    expect(text).toContain('type TrackerTask implements Node @flexTable(db: "tracker", table: "tasks") {');
    expect(text).toContain('dueAt: DateTime @flexField(name: "due_at")');
  });

  test('takes nothing from the schema without types', async () => {
    const before = (await servedSchema({ FLEX_SCHEMA: '' })).printed();
    expect(findBreakingChanges(buildSchema(before), buildSchema(typed.printed()))).toEqual([]);
  });
});

describe('as a subgraph', () => {
  test('each typed record is an entity by both ids, and directives of types stay', async () => {
    const { sdl, schema } = typed.subgraph();
    const keys = '@key(fields: "id") @key(fields: "upstreamId")';
    expect(sdl).toContain(`type TrackerTask implements Node @flexTable(db: "tracker", table: "tasks") ${keys} {`);
    expect(sdl).toContain(`type GuestbookRow implements Node @flexTable(db: "guestbook") ${keys} {`);
    expect(sdl).toContain(`type TrackerUntabled implements Node ${keys} {`);
    expect(sdl).toMatch(/^directive @flexTable\(/m);
    expect(sdl).not.toMatch(/^directive @(defer|stream)\b/m);
    expect(() => parse(sdl)).not.toThrow();
    expect(validateSchema(schema)).toEqual([]);
    const nodes = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'),
    );
    for (const { name } of nodes)
      expect(sdl).toMatch(new RegExp(String.raw`^type ${name} implements Node [^\n]*@key`, 'm'));
  });

  test('a router reads typed records by either key, several from one list', async () => {
    const { ask, execute, sandbox } = await demo({ FLEX_SCHEMA: file(), SUBGRAPH: 'true' });
    const { data: listed } = await execute('{ tracker { tasks(first: 2) { nodes { id upstreamId title } } } }');
    const { nodes } = Object(listed).tracker.tasks;
    sandbox.forgetCalls();
    const representations = [
      { __typename: 'TrackerTask', id: nodes[0].id },
      { __typename: 'TrackerTask', upstreamId: nodes[1].upstreamId },
      { __typename: 'TrackerPerson', upstreamId: nodes[1].upstreamId }, // of another table
    ];
    const data = await ask(
      'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on TrackerTask { id upstreamId title } } }',
      { variables: { representations } },
    );
    expect(data).toEqual({ _entities: [...nodes, null] });
    expect(sandbox.calls()).toEqual([expect.stringMatching(/^GET \/flex\/dbs\/[^/]+\/records\.json$/)]);
  });
});

describe('a file that cannot be used', () => {
  test.each([
    ['that is no JSON', 'canary', /^FLEX_SCHEMA: "[^"]+": The snapshot is no JSON in UTF-8: [^\n]+$/],
    ['of another format', '{}', /^FLEX_SCHEMA: "[^"]+": [^\n]*version/],
  ])('ends the start before anything is served: one %s', async (_name, text, line) => {
    const config = testConfig({ FLEX_SCHEMA: await textFile(text), LOG_LEVEL: 'silent' });
    const starting = createGateway(config);
    await expect(starting).rejects.toThrow(ConfigError);
    await expect(starting).rejects.toThrow(line);
    await expect(starting).rejects.not.toThrow('canary');
  });

  test('that does not exist is named', async () => {
    const starting = createGateway(testConfig({ FLEX_SCHEMA: '/no/such/flex.schema.json', LOG_LEVEL: 'silent' }));
    await expect(starting).rejects.toThrow(
      new ConfigError('FLEX_SCHEMA: "/no/such/flex.schema.json" cannot be read: ENOENT.'),
    );
  });
});

test('trusted documents are checked against the typed schema', async () => {
  const manifest = await textFile(JSON.stringify({ tasks: '{ tracker { tasks { nodes { title } } } }' }));
  expect(await checkedManifests([manifest], testConfig({ FLEX_SCHEMA: file() }))).toBe(1);
  await expect(checkedManifests([manifest], testConfig())).rejects.toThrow(
    /"tasks" is refused: Cannot query field "tracker"/,
  );
  await writeFile(manifest, JSON.stringify({ tasks: '{ tracker { tasks { nodes { titel } } } }' }));
  await expect(checkedManifests([manifest], testConfig({ FLEX_SCHEMA: file() }))).rejects.toThrow(
    /Cannot query field "titel"/,
  );
});

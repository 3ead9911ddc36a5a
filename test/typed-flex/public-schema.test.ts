import { memoize1 } from '@graphql-tools/utils';
import {
  getNamedType,
  type GraphQLSchema,
  introspectionFromSchema,
  isInputObjectType,
  isObjectType,
  validateSchema,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { FlexDbRecord } from '../../src/apis/flex/wire.ts';
import { schema } from '../../src/apis/schema.ts';
import { publicSchema } from '../../src/typed-flex/public/public-schema.ts';
import { modelOf } from '../../src/typed-flex/model/read-model.ts';
import type { Snapshot } from '../../src/typed-flex/snapshot/snapshot.ts';
import { ROW_FIELDS } from '../../src/typed-flex/model/reserved-names.ts';
import { namedSnapshotOf, randomDatabases } from './random-definitions.ts';
import { type MethodOptions, type PublicDatabase, randomPublicDatabases } from './random-public-databases.ts';
import { snapshotOf } from './snapshots.ts';

/** The databases of 200 accounts. */
const ACCOUNTS = Array.from({ length: 200 }, (_, seed) => randomPublicDatabases(seed));
const READS = ['list', 'get', 'search'] as const;
const WRITES = ['create', 'update', 'delete'] as const;

type Methods = Pick<PublicDatabase, 'fields' | 'public_methods'>;

/** The anonymous schema of databases. Undefined when none has a public method. */
function makeAnonymous(databases: readonly PublicDatabase[]): GraphQLSchema | undefined {
  if (!databases.some(hasMethods)) return undefined;
  const made = publicSchema(schema, modelOf(snapshotOf(databases), schema));
  expect(validateSchema(made)).toEqual([]);
  return made;
}

/** As `makeAnonymous`, once for each account. */
const anonymous = memoize1(makeAnonymous);

function hasMethods(database: Methods): boolean {
  return [...READS, ...WRITES].some((operation) => methodOf(database, operation));
}

/** The options of a method that is on. */
function methodOf({ public_methods }: Methods, operation: keyof PublicDatabase['public_methods']) {
  const method = public_methods[operation];
  return method === true ? {} : method || undefined;
}

/** The keys of the data that a method takes, those of the definition alone. */
function taken({ fields }: Methods, { allowed_fields = [...fields], auto_fields = {} }: MethodOptions): string[] {
  return fields.filter((name) => allowed_fields.includes(name) && !Object.hasOwn(auto_fields, name));
}

/** The keys of the data that the methods show or take: those of all records where a method reads them. */
function told(database: Methods): string[] {
  const written = (['create', 'update'] as const).flatMap((operation) => methodOf(database, operation) ?? []);
  const isOpen = READS.some((operation) => methodOf(database, operation));
  if (isOpen || written.some(({ allowed_fields }) => !allowed_fields)) return [...database.fields];
  const named = written.flatMap((options) => [
    ...(options.allowed_fields ?? []),
    ...(options.required_fields ?? []),
    ...Object.keys({ ...options.default_values, ...options.auto_fields }),
    ...(options.scope_by === undefined ? [] : [options.scope_by]),
  ]);
  return database.fields.filter((name) => named.includes(name));
}

/** The names of the fields of a type; none without such a type. */
function fieldsOf(made: GraphQLSchema | undefined, name: string | undefined): string[] {
  const type = name === undefined ? undefined : made?.getType(name);
  return isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : [];
}

describe.each([0, 50, 100, 150])('the anonymous schema of random definitions from %i on', (from) => {
  const accounts = ACCOUNTS.slice(from, from + 50);

  test('has the methods that are on, and their inputs', () => {
    let methods = 0;
    for (const databases of accounts) {
      const made = anonymous(databases);
      for (const database of databases) {
        const { code } = database;
        const field = made?.getQueryType()?.getFields()[`public${pascal(code)}`];
        const type = field && getNamedType(field.type).name;
        const reads = READS.filter((operation) => methodOf(database, operation));
        const writes = WRITES.filter((operation) => methodOf(database, operation));
        expect(field !== undefined).toBe(reads.length + writes.length > 0);
        expect(fieldsOf(made, type)).toEqual(type ? ['id', ...reads] : []);
        const mutations = fieldsOf(made, 'Mutation').filter((name) => name.includes(`Public${pascal(code)}Row`));
        expect(mutations).toEqual(writes.map((operation) => `${operation}Public${pascal(code)}Row`));
        for (const operation of ['create', 'update'] as const) {
          const options = methodOf(database, operation);
          const input = fieldsOf(made, `${pascal(operation)}Public${pascal(code)}RowInput`);
          const keys = options ? taken(database, options) : [];
          expect(input.filter((name) => name !== 'extra').toSorted()).toEqual(keys.toSorted());
        }
        methods += reads.length + writes.length;
      }
    }
    expect(methods).toBeGreaterThan(50);
  });

  test('tells no name that these methods do not show or take', () => {
    let hidden = 0;
    for (const databases of accounts) {
      const made = anonymous(databases);
      const text = made ? JSON.stringify(introspectionFromSchema(made)) : '';
      for (const database of databases) {
        const shown = told(database);
        const secret = database.fields.filter((name) => !shown.includes(name));
        const search = methodOf(database, 'search');
        const namesTables = search && (search.allowed_params?.includes('table_name') ?? true);
        const defaults = Object.values(database.public_methods).flatMap((options) =>
          typeof options === 'object' ? Object.values(options?.default_values ?? {}) : [],
        );
        const all = [...secret, ...(namesTables ? [] : database.tables), ...defaults, database.id, database.name];
        const found = (name: string) => new RegExp(String.raw`(?<![a-z0-9])${name}(?![0-9])`, 'i').test(text);
        expect(all.filter(found)).toEqual([]);
        expect(shown.filter((name) => !found(name))).toEqual([]);
        hidden += secret.length;
      }
    }
    expect(hidden).toBeGreaterThan(20);
  });
});

test('definitions in several scripts tell the keys that their methods show or take, and no others', () => {
  let keys = 0;
  for (const record of randomDatabases(17, 200)) {
    const database = parsed(record);
    if (!hasMethods(database)) continue;
    const snapshot = namedSnapshotOf([record]);
    const made = publicSchema(schema, modelOf(snapshot, schema));
    const isNamed = namedKeys(snapshot);
    expect(validateSchema(made)).toEqual([]);
    const rows = keysOf(made, /Row$/);
    expect(rows.filter((key) => !told(database).includes(key))).toEqual([]);
    for (const operation of ['create', 'update'] as const) {
      const options = methodOf(database, operation);
      const input = keysOf(made, operation === 'create' ? /^Create.*Input$/ : /^Update.*Input$/);
      const keysTaken = options ? taken(database, options) : [];
      expect(input.toSorted()).toEqual(keysTaken.filter((key) => isNamed.has(key)).toSorted());
      keys += input.length;
    }
    keys += rows.length;
  }
  expect(keys).toBeGreaterThan(300);
});

/** The keys of the data that the mapping gives a name. The others are left to `extra`. */
function namedKeys({ names }: Snapshot): ReadonlySet<string> {
  const tables = Object.values(names).flatMap((own) => [
    ...(own.table ? [own.table] : []),
    ...Object.values(own.tables ?? {}),
  ]);
  const entries = tables.flatMap(({ fields }) => Object.entries(fields));
  return new Set(entries.filter(([, name]) => name !== null).map(([key]) => key));
}

const methods = z.record(
  z.string(),
  z.union([z.boolean(), z.null(), z.looseObject({ allowed_fields: z.array(z.string()).optional() })]),
);
const table = z.looseObject({ fields: z.record(z.string(), z.unknown()) });
const definition = z.union([z.looseObject({ tables: z.record(z.string(), table) }), table]);

/** A random definition as the functions of this file read it. */
function parsed({ code, schema: own, public_methods }: FlexDbRecord): Methods {
  const read = definition.parse(own);
  const tables = 'tables' in read ? Object.values(z.record(z.string(), table).parse(read.tables)) : [table.parse(read)];
  const fields = [...new Set(tables.flatMap((one) => Object.keys(one.fields)))];
  return { fields, public_methods: typeof code === 'string' ? methods.parse(public_methods ?? {}) : {} };
}

/** The keys of the data that the fields of the types with such a name stand for. */
function keysOf(made: GraphQLSchema, name: RegExp): string[] {
  const types = Object.values(made.getTypeMap()).filter((type) => name.test(type.name));
  const fields = types.flatMap((type) =>
    isObjectType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [],
  );
  const own = fields.filter((field) => !ROW_FIELDS.includes(field.name));
  return own.map(({ name: shown, extensions }) => flexField.parse(extensions).directives?.flexField.name ?? shown);
}

const flexField = z.object({ directives: z.object({ flexField: z.object({ name: z.string() }) }).optional() });

const pascal = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

describe('the descriptions of the anonymous schema', () => {
  const made = anonymous(ACCOUNTS.slice(0, 20).flat());
  const { __schema } = introspectionFromSchema(made ?? schema);
  const text = JSON.stringify(__schema, (key, value: unknown) =>
    key === 'description' || typeof value === 'object' ? value : '',
  );
  const own = new Set(__schema.types.map(({ name }) => name));

  test('name no other type, and no field of one', () => {
    const others = Object.values(schema.getTypeMap()).filter(({ name }) => !own.has(name));
    const fields = others.flatMap((type) => ('getFields' in type ? Object.keys(type.getFields()) : []));
    const names = [...others.map(({ name }) => name), ...fields.filter((name) => /[a-z][A-Z]/.test(name))];
    expect(names.length).toBeGreaterThan(300);
    const shared = new Set(['upstreamId', 'createdAt', 'updatedAt', 'hasNextPage', 'orderBy', 'deletedId']);
    const found = names.filter((name) => !shared.has(name) && new RegExp(String.raw`\b${name}\b`).test(text));
    expect(found).toEqual([]);
  });

  test('name no other API, and nothing of one', () => {
    expect(text).toContain('POST /flex/db/:db_code/list');
    expect(text).not.toMatch(/\b(?:accounts?|crm|forum|dashboards?|tokens?|deals?|contacts?|layouts?|bearer)\b/i);
    expect(text).not.toMatch(/\b(?:ACCOUNT|CRM|FORUM|API)_|Authorization|\/(?:app|account|api)\/|Client:/);
    expect(text).not.toMatch(/\/flex\/dbs/);
  });
});

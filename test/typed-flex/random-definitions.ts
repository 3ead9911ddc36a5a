import { isObject, type JsonObject } from '../../src/formats/decode.ts';
import type { FlexDbRecord } from '../../src/apis/flex/wire.ts';
import type { DatabaseNames, FieldName, Snapshot, TableNames } from '../../src/typed-flex/snapshot/snapshot.ts';
import { dice } from '../support/dice.ts';
import { snapshotOf } from './snapshots.ts';

type Dice = ReturnType<typeof dice>;

const TYPES = ['string', 'text', 'integer', 'number', 'boolean', 'datetime', 'date', 'time'] as const;

/** Columns of the older form of an index, by the types of fields that fit them. */
const COLUMNS = [
  { types: ['string', 'text'], columns: ['idx_str_1', 'idx_str_2', 'idx_str_3'] },
  { types: ['integer', 'number'], columns: ['idx_int_1', 'idx_int_2'] },
  { types: ['datetime', 'date', 'time'], columns: ['idx_time_1', 'idx_time_2'] },
];

/** Names that collide, are reserved, no names of GraphQL, keys of each object of JavaScript or of a record, or parts of a query. */
const ODD_NAMES = [
  ...['first_name', 'first name', 'firstName', 'FIRST-NAME'],
  ...['żółw', 'Łódź', '日本', '値段', 'имя', 'цена', 'όνομα', 'اسم', '🙂', 'ﬁ', 'a\u0301'],
  ...['extra', 'upstream_id', 'createdAt', 'Updated At', '__typename', 'ID', 'data', 'table_name'],
  ...['id', 'created_at', 'updated_at', 'constructor', 'toString', 'hasOwnProperty'],
  ...['2fa', '100', '7', '_', '---', 'size, cm', 'x[y]', '-price', 'true', 'null'],
];
const WORDS = [
  'amount',
  'due',
  'note',
  'customer',
  'price',
  'status',
  'place',
  'kind',
  'rank',
  'zone',
  'sent',
  'owner',
];

interface RandomDatabase extends FlexDbRecord {
  readonly name: string;
  readonly code: string | null;
}

interface RandomDatabasesOptions {
  /** Adds keys, types and options that no document has, and malformed ones. The sandbox refuses these. */
  readonly unknownKeys?: boolean;
}

/**
 * Databases with random definitions, the same ones for the same seed. Without unknown keys the sandbox takes their names,
 * codes, schemas and methods.
 */
export function randomDatabases(
  seed: number,
  count: number,
  { unknownKeys = false }: RandomDatabasesOptions = {},
): RandomDatabase[] {
  const random = dice(seed);
  return Array.from({ length: count }, (_, index) => {
    const database = randomDatabase(random, `${seed}-${index}`, index);
    return unknownKeys ? withUnknownKeys(random, database) : database;
  });
}

/** The snapshot of databases with a name for each entry, as if someone had answered all that a pull asks. */
export function namedSnapshotOf(databases: readonly FlexDbRecord[]): Snapshot {
  const snapshot = snapshotOf(databases);
  const names = Object.entries(snapshot.names).map(([key, own], index) => [key, answered(own, `Db${index}`)]);
  return { ...snapshot, names: Object.fromEntries(names) };
}

function randomDatabase(random: Dice, id: string, index: number): RandomDatabase {
  const isMulti = random.roll(2) === 0;
  const tables = randomNames(random, 1 + random.roll(3)).map((name) => [name, randomTable(random)]);
  const schema: JsonObject = isMulti ? { tables: Object.fromEntries(tables) } : randomTable(random);
  const code = random.pick(
    `db_${index}`,
    `${random.pick(WORDS[0] ?? '', ...WORDS)}-${index}`,
    `Db${index}Things`,
    null,
  );
  const names = Object.keys(isObject(schema['fields']) ? schema['fields'] : {});
  return { id, name: `Database ${index}`, code, schema, public_methods: randomMethods(random, names) };
}

function randomNames(random: Dice, count: number): string[] {
  const names = new Set<string>();
  while (names.size < count) {
    const words = `${random.pick('amount', ...WORDS)}_${random.pick('at', ...WORDS)}`;
    names.add(random.roll(3) === 0 ? random.pick('extra', ...ODD_NAMES) : words);
  }
  return [...names];
}

function randomTable(random: Dice): JsonObject {
  const fields = randomNames(random, 1 + random.roll(8)).map((name) => ({ name, type: random.pick(...TYPES) }));
  const definitions = fields.map(({ name, type }) => [
    name,
    random.roll(2) === 0 ? type : { type, ...(random.roll(2) === 0 && { required: random.roll(2) === 0 }) },
  ]);
  return { fields: Object.fromEntries(definitions), ...randomIndex(random, fields) };
}

function randomIndex(random: Dice, fields: readonly { readonly name: string; readonly type: string }[]): JsonObject {
  const form = random.roll(4);
  if (form === 0) return {};
  if (form === 1) return { indexed_fields: fields.filter(() => random.roll(2) === 0).map(({ name }) => name) };
  const pairs = COLUMNS.flatMap(({ types, columns }) => {
    const fitting = fields.filter(({ type }) => types.includes(type)).slice(0, columns.length);
    return fitting.map(({ name }, at) => [columns[at] ?? '', name] as const);
  });
  return { indexes: Object.fromEntries(form === 2 ? pairs : pairs.map(([column, name]) => [name, column])) };
}

function randomMethods(random: Dice, fields: readonly string[]): JsonObject | null {
  if (random.roll(3) === 0) return null;
  const some = () => fields.filter(() => random.roll(2) === 0);
  const options = () => ({
    ...(random.roll(2) === 0 && { allowed_fields: some() }),
    ...(random.roll(3) === 0 && { required_fields: some() }),
    ...(random.roll(3) === 0 && { default_values: Object.fromEntries(some().map((name) => [name, null])) }),
    ...(random.roll(3) === 0 && { auto_fields: { ip: '{ip}' } }),
  });
  const operations = ['list', 'get', 'create', 'update', 'delete', 'search'].filter(() => random.roll(2) === 0);
  return Object.fromEntries(operations.map((operation) => [operation, random.pick<unknown>(true, options(), false)]));
}

function withUnknownKeys(random: Dice, database: RandomDatabase): RandomDatabase {
  const unknown = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) return random.roll(4) === 0 ? [...value, 7, null] : value;
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(([key, member]): [string, unknown] => [key, unknown(member, key)]);
    const isNamed = name === 'fields' || name === 'tables'; // a key more would be a field or table more
    const more: [string, unknown][] = !isNamed && random.roll(3) === 0 ? [['canary-key', 'canary-value']] : [];
    return Object.fromEntries([...members, ...more]);
  };
  return { ...database, schema: unknown(database.schema), public_methods: unknown(database.public_methods) };
}

/** Answers each empty name with one that no other entry has. Some fields are left to `extra`, some have a value of their own. */
function answered(names: DatabaseNames, prefix: string): DatabaseNames {
  const { table, tables, untabled } = names;
  const type = names.type || prefix;
  const namedTables = Object.entries(tables ?? {}).map(([name, own], at) => [
    name,
    answeredTable(own, `${type}Table${at}`),
  ]);
  return {
    query: names.query || `q${prefix}`,
    type,
    ...(untabled !== undefined && { untabled: untabled || `${type}WithoutTable` }),
    ...(names.public && {
      public: {
        query: names.public.query || `public${prefix}`,
        type: names.public.type || `Public${prefix}`,
        row: names.public.row || `Public${prefix}Entry`,
      },
    }),
    ...(table && { table: answeredTable(table, `${type}Entry`) }),
    ...(tables && { tables: Object.fromEntries(namedTables) }),
  };
}

function answeredTable({ type, list, one, fields }: TableNames, prefix: string): TableNames {
  const named = Object.entries(fields).map(([name, own], at): [string, FieldName] => {
    if (own !== '') return [name, own];
    return [
      name,
      [`${prefix.toLowerCase()}Field${at}`, { name: `named${prefix}${at}`, enum: `NAMED_${prefix}_${at}` }, null][
        at % 3
      ] ?? null,
    ];
  });
  return {
    type: type || prefix,
    list: list || `list${prefix}`,
    one: one || `one${prefix}`,
    fields: Object.fromEntries(named),
  };
}

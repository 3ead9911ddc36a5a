import type { GraphQLResolveInfo } from 'graphql';
import { type ArgBuilder, builder } from '../../graph/builder.ts';
import type { Context } from '../../operation/context.ts';
import { readExactly } from '../../graph/json.ts';
import { invalidInput } from '../../errors.ts';
import { isObject, type JsonObject } from '../../formats/decode.ts';
import { parseLongNumbers } from '../../formats/long-numbers.ts';
import { text } from '../../formats/leaves.ts';
import { fieldResolver } from '../../graph/lists/lazy-fields.ts';
import { FlexPublicMethod, parsePublicMethods } from './public-methods.ts';
import { FlexTable } from './schemas.ts';
import type { FlexSource, Replacement } from './source.ts';
import { type FlexDbFields, type FlexDbRecord, shownTables } from './wire.ts';

/** A change of a definition that was not carried out. */
export class DefinitionPlan {
  /** The database as upstream has it. Undefined for a creation. */
  readonly before: FlexDbRecord | undefined;
  /** The database as it would be. Upstream gives a new one its id. */
  readonly after: Omit<FlexDbRecord, 'id'>;

  constructor(before: FlexDbRecord | undefined, after: Omit<FlexDbRecord, 'id'>) {
    this.before = before;
    this.after = after;
  }
}

const planned = fieldResolver<DefinitionPlan['after']>();

/** Creates a resolver for a key of the database as it would be. */
function after<K extends keyof DefinitionPlan['after'], V>(key: K, read: (value: unknown) => V) {
  const resolve = planned(key, read);
  return (plan: DefinitionPlan, args: object, context: Context, info: GraphQLResolveInfo): V =>
    resolve(plan.after, args, context, info);
}

export const FlexDbPlan = builder.objectRef<DefinitionPlan>('FlexDbPlan').implement({
  description:
    'A database as a mutation with `dryRun` would leave it. Nothing was written. Not documented: what else upstream ' +
    'refuses, so a plan is no promise that the change is accepted.',
  fields: (t) => ({
    name: t.string({ description: 'Name of the database.', resolve: after('name', text) }),
    code: t.string({ description: 'Unique slug.', resolve: after('code', text) }),
    appId: t.id({
      description: 'Upstream id of the application that the database is linked to.',
      resolve: after('app_id', text),
    }),
    tables: t.field({
      type: [FlexTable],
      description: 'The tables of the schema, with the columns that would be indexed. Null without a schema.',
      resolve: after('schema', shownTables),
    }),
    publicMethods: t.field({
      type: [FlexPublicMethod],
      description: 'The operations that could be called without authorization.',
      resolve: after('public_methods', parsePublicMethods),
    }),
    publicMethodsRaw: t.field({
      type: 'JSONObject',
      description: 'The public methods as upstream would store them.',
      resolve: after('public_methods', (methods) => methods),
    }),
    schema: t.field({
      type: 'JSONObject',
      description: 'The schema as upstream would store it. Null without one.',
      resolve: after('schema', (schema) => schema),
    }),
  }),
});

/** The argument of a mutation that can answer a plan. It takes no null: a null must not write. */
export const dryRunArgument = (arg: ArgBuilder) =>
  arg.boolean({
    required: true,
    defaultValue: false,
    description: 'Whether to write nothing, and to answer a `FlexDbPlan`: the database as it would be.',
  });

/** Plans a creation. Calls `GET /flex/dbs.json`. @throws ValidationError for a code that another database has */
export async function planCreation(fields: FlexDbFields, flex: FlexSource): Promise<DefinitionPlan> {
  const empty = { name: null, code: null, app_id: null, schema: null, public_methods: null };
  const plan = new DefinitionPlan(undefined, { ...empty, ...written(fields) });
  await assertCodeIsFree(plan, flex);
  return plan;
}

/**
 * Plans an update. Calls `GET /flex/dbs/:id.json`, and for a new code `GET /flex/dbs.json`.
 *
 * @throws ValidationError for a code that another database has
 * @throws NotFoundError when there is no such database
 */
export async function planUpdate(idOrCode: string, fields: FlexDbFields, flex: FlexSource): Promise<DefinitionPlan> {
  const before = await flex.database(idOrCode);
  const plan = new DefinitionPlan(before, { ...before, ...written(fields) });
  if (plan.after.code !== before.code) await assertCodeIsFree(plan, flex);
  return plan;
}

/**
 * Plans an edit of the stored text. Calls `GET /flex/dbs/:id.json`.
 *
 * @throws ValidationError for an edit that upstream would refuse
 * @throws NotFoundError when there is no such database
 */
export async function planReplacement(idOrCode: string, edit: Replacement, flex: FlexSource): Promise<DefinitionPlan> {
  const before = await flex.database(idOrCode);
  return new DefinitionPlan(before, { ...before, ...replaceText(before, edit) });
}

/** The fields that a write changes. Not documented (A68): the empty text clears a code and the id of an application. */
function written(fields: FlexDbFields): FlexDbFields {
  const { code, app_id } = fields;
  const set = Object.entries({ ...fields, code: code === '' ? null : code, app_id: app_id === '' ? null : app_id });
  return Object.fromEntries(set.filter(([, value]) => value !== undefined));
}

async function assertCodeIsFree({ before, after: { code } }: DefinitionPlan, flex: FlexSource): Promise<void> {
  const databases = await flex.databases();
  const holder = databases.find((database) => typeof code === 'string' && database.code === code);
  if (!holder) databases.assertComplete();
  if (holder && holder.id !== before?.id) throw invalidInput('code', 'is the code of another database');
}

/** Not documented (A78): how long a definition may become by an edit. */
const MAX_LENGTH = 10_000_000;

/**
 * Edits a definition as upstream would. Not documented (A76): the stored text is the JSON of a read, without blanks, and
 * `fields` are those of the schema of a single table.
 *
 * @returns the part of the database that changes, under its name on the wire
 * @throws ValidationError where upstream would refuse the edit
 * @throws BadResponseError for a part whose text is not known, because it holds a number that JavaScript would round
 */
function replaceText(database: FlexDbRecord, edit: Replacement): Partial<FlexDbRecord> {
  const schema = isObject(database.schema) ? database.schema : {};
  if (edit.field === 'fields') return { schema: { ...schema, fields: edited(schema['fields'], edit) } };
  return { [edit.field]: edited(database[edit.field], edit) };
}

function edited(part: unknown, { old_string, new_string, replace_all }: Replacement): JsonObject | null {
  if (old_string === '') throw invalidInput('oldString', 'is empty');
  const text = isObject(part) ? JSON.stringify(readExactly(part)) : '';
  const parts = text.split(old_string);
  if (parts.length === 1) throw invalidInput('oldString', 'does not occur');
  if (parts.length > 2 && !replace_all) throw invalidInput('oldString', 'occurs several times: use `replaceAll`');
  const added = (parts.length - 1) * (new_string.length - old_string.length);
  if (text.length + added > MAX_LENGTH) throw invalidInput('newString', 'makes the definition too long');
  return parsed(parts.join(new_string));
}

function parsed(text: string): JsonObject | null {
  const value = jsonOrUndefined(text);
  if (value === null || isObject(value)) return value;
  throw invalidInput('newString', 'leaves no JSON object');
}

function jsonOrUndefined(text: string): unknown {
  try {
    return parseLongNumbers(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

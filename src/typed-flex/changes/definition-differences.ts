import {
  columnsOf,
  type Definition,
  type FieldDefinition,
  type MethodDefinition,
  type TableDefinition,
  typeOf,
} from '../snapshot/definition.ts';
import { entryPath, quoted } from '../snapshot/snapshot-error.ts';

type Definitions = Readonly<Record<string, Definition>>;

/** A list in a line has this many names at most. */
const MAX_NAMES = 10;

/**
 * Says how definitions differ: one line for each difference, such as `tracker: field tasks.done is gone`. Databases are the
 * same when they have the same id, or else the same key. The order of tables and fields makes no difference.
 *
 * @returns lines made of names and types
 */
export function definitionDifferences(before: Definitions, after: Definitions): readonly string[] {
  const left = new Map(Object.entries(after));
  const keysById = new Map(Object.entries(after).map(([key, { id }]) => [id, key]));
  const lines = Object.entries(before).flatMap(([key, one]) => {
    const otherKey = keysById.get(one.id) ?? key;
    const other = left.get(otherKey);
    left.delete(otherKey);
    const at = entryPath([key]);
    if (!other) return [`${at}: it is gone, or has no fields any more`];
    const renamed = otherKey === key ? [] : [`${at}: its code is ${quoted(otherKey)} now`];
    const replaced = other.id === one.id ? [] : [`${at}: another database has the code now`];
    const differences = [...tableDifferences(one, other), ...methodDifferences(one, other)];
    return [...renamed, ...replaced, ...differences.map((line) => `${at}: ${line}`)];
  });
  return [...lines, ...[...left.keys()].map((key) => `${entryPath([key])}: it is new`)];
}

function tableDifferences({ schema: one }: Definition, { schema: other }: Definition): string[] {
  if ('tables' in one && 'tables' in other)
    return compared(one.tables, other.tables, {
      gone: (table) => [`table ${entryPath([table])} is gone`],
      added: (table) => [`table ${entryPath([table])} is new`],
      both: (table, tableBefore, tableAfter) => fieldDifferences([table], tableBefore, tableAfter),
    });
  if ('tables' in one) return ['it has one table without a name now'];
  if ('tables' in other) return ['it has tables with names now'];
  return fieldDifferences([], one, other);
}

function fieldDifferences(path: readonly string[], one: TableDefinition, other: TableDefinition): string[] {
  const [columnsBefore, columnsAfter] = [columnsOf(one), columnsOf(other)];
  return compared(one.fields, other.fields, {
    gone: (field) => [`field ${entryPath([...path, field])} is gone`],
    added: (field, definition) => {
      const { type, required } = described(definition);
      return [`field ${entryPath([...path, field])} is new: ${type}${required ? ', required' : ''}`];
    },
    both: (field, before, after) => {
      const indexes = indexDifferences(columnsBefore.get(field), columnsAfter.get(field));
      return [...typeDifferences(before, after), ...indexes].map(
        (difference) => `field ${entryPath([...path, field])} ${difference}`,
      );
    },
  });
}

function typeDifferences(before: FieldDefinition, after: FieldDefinition): string[] {
  const [one, other] = [described(before), described(after)];
  return [
    ...(one.type === other.type ? [] : [`has the type ${other.type}, had ${one.type}`]),
    ...(one.required === other.required ? [] : [other.required ? 'is required now' : 'is not required any more']),
  ];
}

function indexDifferences(before: string | undefined, after: string | undefined): string[] {
  if (before === after) return [];
  if (after === undefined) return ['is not indexed any more'];
  return [
    before === undefined
      ? `is indexed now, in ${quoted(after)}`
      : `is indexed in ${quoted(after)}, was in ${quoted(before)}`,
  ];
}

function methodDifferences({ public_methods: one }: Definition, { public_methods: other }: Definition): string[] {
  return compared<true | MethodDefinition>(one, other, {
    gone: (operation) => [`public method ${operation} is off now`],
    added: (operation) => [`public method ${operation} is on now`],
    both: (operation, before, after) =>
      optionDifferences(before, after).map((difference) => `public method ${operation}: ${difference}`),
  });
}

function optionDifferences(before: true | MethodDefinition, after: true | MethodDefinition): string[] {
  const [one, other] = [before, after].map((method) => new Map(Object.entries(method === true ? {} : method)));
  const options = new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])]);
  return [...options].flatMap((option) => {
    const [is, was] = [listed(other?.get(option)), listed(one?.get(option))];
    return is === was ? [] : [`${option} is ${is}, was ${was}`];
  });
}

interface Differences<T> {
  readonly gone: (key: string) => string[];
  readonly added: (key: string, value: T) => string[];
  readonly both: (key: string, before: T, after: T) => string[];
}

function compared<T>(before: Readonly<Record<string, T>>, after: Readonly<Record<string, T>>, on: Differences<T>) {
  const left = new Map(Object.entries(after));
  const known = Object.entries(before).flatMap(([key, value]) => {
    const other = left.get(key);
    left.delete(key);
    return Object.hasOwn(after, key) && other !== undefined ? on.both(key, value, other) : on.gone(key);
  });
  return [...known, ...[...left].flatMap(([key, value]) => on.added(key, value))];
}

function described(field: FieldDefinition): { readonly type: string; readonly required: boolean } {
  const { type, required } = typeOf(field);
  return { type: type === null ? 'none' : entryPath([type]), required };
}

function listed(option: unknown): string {
  if (!Array.isArray(option)) return typeof option === 'string' ? quoted(option) : 'not set';
  const names = option.slice(0, MAX_NAMES).map((name) => quoted(String(name)));
  const rest = option.length - names.length;
  return `[${names.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}]`;
}

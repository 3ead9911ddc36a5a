import type { GraphQLSchema } from 'graphql';
import pluralize from 'pluralize';
import type { Definition, TableDefinition } from '../snapshot/definition.ts';
import { entryPath } from '../snapshot/entry-path.ts';
import { camelCase, pascalCase, wordsOf } from './names.ts';
import { namedModel } from './read-model.ts';
import type { DatabaseNames, FieldName, Snapshot, TableNames } from '../snapshot/snapshot.ts';

type Names = Snapshot['names'];

/**
 * The mapping of some databases: names that people have written, and names made of those of upstream. A name that cannot
 * be made, or is another's, is empty.
 *
 * @param previous the mapping so far. Names of tables and fields that are gone are left out
 * @param base the schema that types are laid over
 */
export function namesFor(databases: Snapshot['databases'], previous: Names, base: GraphQLSchema): Names {
  const made = new NameMaker(new Set());
  const first = made.databases(databases, previous);
  const { problems } = namedModel({ databases, names: first }, base);
  const taken = problems.flatMap(({ entries }) => entries).filter((entry) => made.entries.has(entry));
  return taken.length === 0 ? first : new NameMaker(new Set(taken)).databases(databases, previous);
}

class NameMaker {
  /** The entries whose names were made. */
  readonly entries = new Set<string>();
  /** The entries whose names would be another's. */
  readonly #taken: ReadonlySet<string>;

  constructor(taken: ReadonlySet<string>) {
    this.#taken = taken;
  }

  databases(databases: Snapshot['databases'], previous: Names): Names {
    const known = new Map(Object.entries(previous));
    const names = Object.entries(databases).map(([key, database]) => [
      key,
      this.#database(key, database, known.get(key)),
    ]);
    return Object.fromEntries(names);
  }

  #database(
    key: string,
    { code, schema, public_methods }: Definition,
    previous: DatabaseNames | undefined,
  ): DatabaseNames {
    const words = wordsOf(code ?? '');
    const query = this.#name([key, 'query'], previous?.query, words && camelCase(words));
    const type = this.#name([key, 'type'], previous?.type, words && pascalCase(words));
    const isPublic = code !== null && Object.keys(public_methods).length > 0;
    return {
      query,
      type,
      ...('tables' in schema && {
        untabled: this.#name([key, 'untabled'], previous?.untabled, joined(type, 'Untabled')),
      }),
      ...(isPublic && { public: this.#public(key, type, previous?.public) }),
      ...('tables' in schema
        ? this.#tables(key, type, schema.tables, previous)
        : this.#table(key, type, schema, previous?.table)),
    };
  }

  #public(key: string, type: string, previous: DatabaseNames['public']): DatabaseNames['public'] {
    const publicType = this.#name([key, 'public', 'type'], previous?.type, joined('Public', type));
    return {
      query: this.#name([key, 'public', 'query'], previous?.query, joined('public', type)),
      type: publicType,
      row: this.#name([key, 'public', 'row'], previous?.row, joined(publicType, 'Row')),
    };
  }

  #tables(
    key: string,
    type: string,
    tables: Readonly<Record<string, TableDefinition>>,
    previous: DatabaseNames | undefined,
  ) {
    const known = new Map(Object.entries(previous?.tables ?? {}));
    const names = Object.entries(tables).map(([table, { fields }]) => {
      const path = [key, 'tables', table];
      const own = known.get(table);
      const words = wordsOf(table);
      const one = words && singular(words);
      const list = words && camelCase(words);
      const oneName = one && camelCase(one);
      return [
        table,
        {
          type: this.#name([...path, 'type'], own?.type, one && joined(type, pascalCase(one))),
          list: this.#name([...path, 'list'], own?.list, list),
          one: this.#name([...path, 'one'], own?.one, oneName === list ? oneName && `${oneName}Row` : oneName),
          fields: this.#fields(path, fields, own),
        },
      ];
    });
    return { tables: Object.fromEntries(names) };
  }

  #table(key: string, type: string, { fields }: TableDefinition, previous: TableNames | undefined) {
    const path = [key, 'table'];
    const table: TableNames = {
      type: this.#name([...path, 'type'], previous?.type, joined(type, 'Row')),
      list: this.#name([...path, 'list'], previous?.list, 'rows'),
      one: this.#name([...path, 'one'], previous?.one, 'row'),
      fields: this.#fields(path, fields, previous),
    };
    return { table };
  }

  #fields(
    path: readonly string[],
    fields: TableDefinition['fields'],
    previous: TableNames | undefined,
  ): TableNames['fields'] {
    const known = new Map<string, FieldName>(Object.entries(previous?.fields ?? {}));
    const names = Object.keys(fields).map((field): [string, FieldName] => {
      const own = known.get(field);
      if (typeof own === 'object') return [field, own];
      const words = wordsOf(field);
      return [field, this.#name([...path, 'fields', field], own, words && camelCase(words))];
    });
    return Object.fromEntries(names);
  }

  /** The name that was chosen before, else the one that was made, if it is free. */
  #name(path: readonly string[], previous: string | undefined, made: string | undefined): string {
    if (previous) return previous;
    const entry = entryPath(['names', ...path]);
    this.entries.add(entry);
    return made === undefined || this.#taken.has(entry) ? '' : made;
  }
}

/** Undefined where a part has no name yet. */
function joined(start: string, end: string): string | undefined {
  return start === '' || end === '' ? undefined : start + end;
}

function singular(words: readonly string[]): readonly string[] {
  return [...words.slice(0, -1), pluralize.singular(words.at(-1) ?? '')];
}

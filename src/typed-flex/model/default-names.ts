import type { GraphQLSchema } from 'graphql';
import pluralize from 'pluralize';
import type { Definition, TableDefinition } from '../snapshot/definition.ts';
import { quoted } from '../snapshot/snapshot-error.ts';
import { type NameProblem, namesEntry } from './naming.ts';
import { namedModel } from './named-model.ts';
import { camelCase, pascalCase, whyNoWords, wordsOf } from './names.ts';
import { type DatabaseNames, type FieldName, MAX_NAME, type Snapshot, type TableNames } from '../snapshot/snapshot.ts';

type Named = Pick<Snapshot, 'databases' | 'names'>;
type Names = Named['names'];

/**
 * The mapping of some databases: names that people have written, and names made of those of upstream. A name that cannot
 * be made, or is another's, is empty.
 *
 * @param previous the mapping so far. Names of tables and fields that are gone are left out
 * @param base the schema that types are laid over
 */
export function namesFor(databases: Snapshot['databases'], previous: Names, base: GraphQLSchema): Names {
  return makeNames(databases, previous, base).names;
}

/** The names of a snapshot by the keys that its databases have now: a database is the same while its id is. */
export function renamedKeys(previous: Snapshot, databases: Snapshot['databases']): Names {
  const names = new Map(Object.entries(previous.names));
  const oldKeys = new Map(Object.entries(previous.databases).map(([key, { id }]) => [id, key]));
  const moved = Object.entries(databases).flatMap(([key, { id }]) => {
    const own = names.get(oldKeys.get(id) ?? key) ?? names.get(key);
    return own ? [[key, own] as const] : [];
  });
  return Object.fromEntries(moved);
}

/** A name that a pull makes, the reason why it makes none, or the entry whose name it would be made of, which has none. */
export type MadeName = string | { readonly reason: string } | { readonly of: string };

/** Makes names for the entries of a mapping that have none, as a pull would. */
export function madeNames({ databases, names }: Named, base: GraphQLSchema): ReadonlyMap<string, MadeName> {
  return makeNames(databases, names, base).made;
}

function makeNames(databases: Snapshot['databases'], previous: Names, base: GraphQLSchema) {
  const first = new NameMaker(new Map());
  const names = first.databases(databases, previous);
  const clashes = clashesOf(namedModel({ databases, names }, base).problems);
  if (![...clashes.keys()].some((entry) => first.made.has(entry))) return { names, made: first.made };
  const second = new NameMaker(clashes);
  return { names: second.databases(databases, previous), made: second.made };
}

/** The names that are reserved or another's: a clause by each entry that has one. */
function clashesOf(problems: readonly NameProblem[]): ReadonlyMap<string, string> {
  const clashes = new Map<string, string>();
  for (const { clash, entries } of problems) {
    if (clash === undefined) continue;
    for (const entry of entries.filter((one) => !clashes.has(one))) {
      const other = entries.find((one) => one !== entry);
      clashes.set(entry, `${clash} is ${other === undefined ? 'reserved' : `that of ${other}, too`}`);
    }
  }
  return clashes;
}

class NameMaker {
  /** A name for each entry that had none, or the reason why it gets none, by the path of the entry. */
  readonly made = new Map<string, MadeName>();
  /** Why an entry cannot have the name that would be made. */
  readonly #clashes: ReadonlyMap<string, string>;

  constructor(clashes: ReadonlyMap<string, string>) {
    this.#clashes = clashes;
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
    const unmade = { reason: code === null ? 'the database has no code' : `the code ${whyNoWords(code)}` };
    const query = this.#name([key, 'query'], previous?.query, words ? camelCase(words) : unmade);
    const type = this.#name([key, 'type'], previous?.type, words ? pascalCase(words) : unmade);
    const isPublic = code !== null && Object.keys(public_methods).length > 0;
    return {
      query,
      type,
      ...('tables' in schema && {
        untabled: this.#name(
          [key, 'untabled'],
          previous?.untabled,
          typeMade(key, type, (name) => `${name}Untabled`),
        ),
      }),
      ...(isPublic && { public: this.#public(key, type, previous?.public) }),
      ...('tables' in schema
        ? this.#tables(key, type, schema.tables, previous)
        : this.#table(key, type, schema, previous?.table)),
    };
  }

  #public(key: string, type: string, previous: DatabaseNames['public']): DatabaseNames['public'] {
    const path = [key, 'public'];
    const publicType = this.#name(
      [...path, 'type'],
      previous?.type,
      typeMade(key, type, (name) => `Public${name}`),
    );
    return {
      query: this.#name(
        [...path, 'query'],
        previous?.query,
        typeMade(key, type, (name) => `public${name}`),
      ),
      type: publicType,
      row: this.#name(
        [...path, 'row'],
        previous?.row,
        madeOf([...path, 'type'], publicType, (name) => `${name}Row`),
      ),
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
      const list = words ? camelCase(words) : ownName(table);
      const oneName = one ? camelCase(one) : ownName(table);
      return [
        table,
        {
          type: this.#name(
            [...path, 'type'],
            own?.type,
            one ? typeMade(key, type, (name) => name + pascalCase(one)) : ownName(table),
          ),
          list: this.#name([...path, 'list'], own?.list, list),
          one: this.#name([...path, 'one'], own?.one, oneName === list ? `${list}Row` : oneName),
          fields: this.#fields(path, fields, own),
        },
      ];
    });
    return { tables: Object.fromEntries(names) };
  }

  #table(key: string, type: string, { fields }: TableDefinition, previous: TableNames | undefined) {
    const path = [key, 'table'];
    const table: TableNames = {
      type: this.#name(
        [...path, 'type'],
        previous?.type,
        typeMade(key, type, (name) => `${name}Row`),
      ),
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
      if (own === null) return [field, null];
      const given = typeof own === 'object' ? own.name : own;
      const words = wordsOf(field);
      const name = this.#name([...path, 'fields', field], given, words ? camelCase(words) : ownName(field));
      return [field, typeof own === 'object' ? { ...own, name } : name];
    });
    return Object.fromEntries(names);
  }

  /** The name that was chosen before, else the one that was made, if it is free. Empty when there is none. */
  #name(path: readonly string[], previous: string | undefined, candidate: MadeName): string {
    if (previous) return previous;
    const entry = namesEntry(path);
    const clash = this.#clashes.get(entry);
    const made = clash === undefined ? bounded(candidate) : { reason: clash };
    this.made.set(entry, made);
    return typeof made === 'string' ? made : '';
  }
}

function bounded(made: MadeName): MadeName {
  if (typeof made !== 'string' || made.length <= MAX_NAME) return made;
  return { reason: `${quoted(made)} has more than ${MAX_NAME} characters` };
}

/** For an upstream name that makes none. */
function ownName(name: string): MadeName {
  return { reason: `its name upstream ${whyNoWords(name)}` };
}

/** A name that is made of the type of a database. */
function typeMade(key: string, type: string, make: (type: string) => string): MadeName {
  return madeOf([key, 'type'], type, make);
}

function madeOf(path: readonly string[], name: string, make: (name: string) => string): MadeName {
  return name === '' ? { of: namesEntry(path) } : make(name);
}

/** With the last word in the singular, where it has one: `s` has none. */
function singular(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? '';
  return [...words.slice(0, -1), pluralize.singular(last) || last];
}

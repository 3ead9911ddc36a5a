import type { GraphQLSchema } from 'graphql';
import pluralize from 'pluralize';
import type { Definition, TableDefinition } from '../snapshot/definition.ts';
import { quoted } from '../snapshot/snapshot-error.ts';
import { type NameProblem, namesEntry } from './naming.ts';
import { namedModel } from './named-model.ts';
import { camelCase, pascalCase, whyNoWords, wordsOf } from './names.ts';
import { type DatabaseNames, type FieldName, MAX_NAME, type Snapshot, type TableNames } from '../snapshot/snapshot.ts';

type Names = Snapshot['names'];

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

interface MadeNames {
  /** Names that people have written, and names made of those of upstream. One that cannot be made, or is another's, is empty. */
  readonly names: Names;
  /** The names that were made, each by the place of its entry in the snapshot. */
  readonly made: ReadonlyMap<string, MadeName>;
}

/**
 * Makes names for the entries of a mapping that have none.
 *
 * @param previous the mapping so far. Names of tables and fields that are gone are left out
 * @param base the schema that types are laid over
 */
export function makeNames(databases: Snapshot['databases'], previous: Names, base: GraphQLSchema): MadeNames {
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
    const name = this.#namer([key], previous);
    const words = wordsOf(code ?? '');
    const unmade = { reason: code === null ? 'the database has no code' : `the code ${whyNoWords(code)}` };
    const query = name('query', words ? camelCase(words) : unmade);
    const type = name('type', words ? pascalCase(words) : unmade);
    const ofType = madeOf([key, 'type'], type);
    const isPublic = code !== null && Object.keys(public_methods).length > 0;
    return {
      query,
      type,
      ...('tables' in schema && {
        untabled: name('untabled', ofType('', 'Untabled')),
      }),
      ...(isPublic && { public: this.#public([key, 'public'], ofType, previous?.public) }),
      ...('tables' in schema
        ? { tables: this.#tables([key, 'tables'], ofType, schema.tables, previous?.tables) }
        : { table: this.#table([key, 'table'], wholeTable(ofType), schema, previous?.table) }),
    };
  }

  #public(path: Path, ofType: OfName, previous: DatabaseNames['public']): DatabaseNames['public'] {
    const name = this.#namer(path, previous);
    const query = name('query', ofType('public', ''));
    const type = name('type', ofType('Public', ''));
    return { query, type, row: name('row', madeOf([...path, 'type'], type)('', 'Row')) };
  }

  #tables(
    path: Path,
    ofType: OfName,
    tables: Readonly<Record<string, TableDefinition>>,
    previous: DatabaseNames['tables'] = {},
  ): DatabaseNames['tables'] {
    const known = new Map(Object.entries(previous));
    const names = Object.entries(tables).map(([table, definition]) => [
      table,
      this.#table([...path, table], namedTable(table, ofType), definition, known.get(table)),
    ]);
    return Object.fromEntries(names);
  }

  #table(path: Path, made: MadeTable, { fields }: TableDefinition, previous: TableNames | undefined): TableNames {
    const name = this.#namer(path, previous);
    return {
      type: name('type', made.type),
      list: name('list', made.list),
      one: name('one', made.one),
      fields: this.#fields([...path, 'fields'], fields, previous?.fields),
    };
  }

  #fields(path: Path, fields: TableDefinition['fields'], previous: TableNames['fields'] = {}): TableNames['fields'] {
    const known = new Map<string, FieldName>(Object.entries(previous));
    const names = Object.keys(fields).map((field): [string, FieldName] => {
      const own = known.get(field);
      if (own === null) return [field, null];
      const given = typeof own === 'object' ? own.name : own;
      const words = wordsOf(field);
      const name = this.#name([...path, field], given, words ? camelCase(words) : ownName(field));
      return [field, typeof own === 'object' ? { ...own, name } : name];
    });
    return Object.fromEntries(names);
  }

  /** Creates the function that names the parts of an entry. */
  #namer(path: Path, previous: Readonly<Record<string, unknown>> | undefined) {
    return (part: string, candidate: MadeName) => {
      const chosen = previous?.[part];
      return this.#name([...path, part], typeof chosen === 'string' ? chosen : undefined, candidate);
    };
  }

  /** The name that was chosen before, else the one that was made, if it is free. Empty when there is none. */
  #name(path: Path, previous: string | undefined, candidate: MadeName): string {
    if (previous) return previous;
    const entry = namesEntry(path);
    const clash = this.#clashes.get(entry);
    const made = clash === undefined ? bounded(candidate) : { reason: clash };
    this.made.set(entry, made);
    return typeof made === 'string' ? made : '';
  }
}

/** The keys of an entry in the mapping. */
type Path = readonly string[];

/** Makes a name of that of another entry, between these two texts. */
type OfName = (before: string, after: string) => MadeName;

type MadeTable = Readonly<Record<'type' | 'list' | 'one', MadeName>>;

/** The names of the only table of a database, which has none of its own. */
function wholeTable(ofType: OfName): MadeTable {
  return { type: ofType('', 'Row'), list: 'rows', one: 'row' };
}

function namedTable(table: string, ofType: OfName): MadeTable {
  const words = wordsOf(table);
  if (!words) return { type: ownName(table), list: ownName(table), one: ownName(table) };
  const [list, singularWords] = [camelCase(words), singular(words)];
  const one = camelCase(singularWords);
  return {
    type: ofType('', pascalCase(singularWords)),
    list,
    one: one === list ? `${list}Row` : one,
  };
}

function bounded(made: MadeName): MadeName {
  if (typeof made !== 'string' || made.length <= MAX_NAME) return made;
  return { reason: `${quoted(made)} has more than ${MAX_NAME} characters` };
}

/** For an upstream name that makes none. */
function ownName(name: string): MadeName {
  return { reason: `its name upstream ${whyNoWords(name)}` };
}

function madeOf(path: Path, name: string): OfName {
  return (before, after) => (name === '' ? { of: namesEntry(path) } : before + name + after);
}

/** With the last word in the singular, where it has one: `s` has none. */
function singular(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? '';
  return [...words.slice(0, -1), pluralize.singular(last) || last];
}

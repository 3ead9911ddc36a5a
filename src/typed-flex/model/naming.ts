import { type GraphQLSchema, isObjectType } from 'graphql';
import { entryPath, quoted } from '../snapshot/snapshot-error.ts';
import type { Reference, TypedField, TypedTable } from './model.ts';
import { derivedMutations, derivedTypes, reservedNames, ROW_FIELDS } from './reserved-names.ts';

// The names that are taken while a model is made, the references between them, and the problems of both.

/** The problem of an entry that is missing. */
export const MISSING = 'the entry is missing: run `trivium flex pull`';

/** The names that a schema has taken while a model is made, and their problems. */
export class Naming {
  readonly problems = new NameProblems();
  readonly types: NameRegister;
  readonly queryFields: NameRegister;
  readonly mutationFields: NameRegister;
  readonly #base: GraphQLSchema;
  readonly #mentions: Mention[] = [];

  constructor(base: GraphQLSchema) {
    const { types, query, mutation } = reservedNames(base);
    this.types = new NameRegister('type', types, this.problems);
    this.queryFields = new NameRegister('field of Query', query, this.problems);
    this.mutationFields = new NameRegister('field of Mutation', mutation, this.problems);
    this.#base = base;
  }

  /** Takes the name of a type of records that are written, as `takeReadType` does, and those of the mutations. */
  takeRecordType(typeName: string, path: readonly string[]): boolean {
    return this.takeReadType(typeName, path) && this.mutationFields.take(typeName, path, derivedMutations(typeName));
  }

  /**
   * Takes the name of a type of records, and those of the types that are made for them. Global ids begin with it: a capital
   * letter tells them from ids of upstream.
   *
   * @returns whether it could be taken
   */
  takeReadType(typeName: string, path: readonly string[]): boolean {
    if (!/^(?:[a-z]|_(?!_))/.test(typeName)) return this.types.take(typeName, path, derivedTypes(typeName));
    this.problems.note(
      path,
      `${quoted(typeName)} begins with no capital letter, by which ids are known: write another name`,
    );
    return false;
  }

  /**
   * The names of tables or fields beside their definitions. A definition without names is a problem, and names without a
   * definition.
   *
   * @param path the keys of the mapping's entry that holds the names
   */
  paired<D, N>(definitions: Readonly<Record<string, D>>, names: Readonly<Record<string, N>>, path: readonly string[]) {
    for (const key of Object.keys(names)) {
      if (!Object.hasOwn(definitions, key))
        this.problems.note(
          [...path, key],
          'nothing of this name is defined: remove the entry, or run `trivium flex pull`',
        );
    }
    const pairs: Paired<D, N>[] = [];
    for (const [key, definition] of Object.entries(definitions)) {
      const name = Object.hasOwn(names, key) ? names[key] : undefined;
      if (name === undefined) this.problems.note([...path, key], MISSING);
      else pairs.push({ key, definition, names: name, path: [...path, key] });
    }
    return pairs;
  }

  /** Notes a reference, to be checked once all tables are known: a field may refer to a later one. */
  addReference(mention: Mention): void {
    this.#mentions.push(mention);
  }

  /**
   * Notes the problems of all references.
   *
   * @param isWhole whether all tables have a type. Else a reference to none is not judged: its table may lack one
   */
  checkReferences(tables: readonly TypedTable[], isWhole: boolean): void {
    if (this.#mentions.length === 0) return;
    const targets = new Map(RECORD_TYPES.map((name) => [name, this.#baseFields(name)]));
    for (const { typeName, fields } of tables)
      targets.set(typeName, [...ROW_FIELDS, ...fields.map(({ graphqlName }) => graphqlName)]);
    const registers = new Map<string, NameRegister>();
    for (const { reference, type, path } of this.#mentions) {
      const { typeName, reverseField } = reference;
      const fields = targets.get(typeName);
      if (!fields) {
        if (!isWhole) continue;
        const types = `${RECORD_TYPES.join(', ')}, or the type of a table in the snapshot`;
        this.problems.note(path, `${quoted(typeName)} cannot be referred to: write ${types}`);
      } else if (!ID_TYPES.includes(type)) {
        this.problems.note(path, `a field of the type ${type} holds no id: remove references`);
      } else if (reverseField !== undefined) {
        const register = registers.get(typeName) ?? new NameRegister(`field of ${typeName}`, fields, this.problems);
        registers.set(typeName, register);
        register.take(reverseField, [...path, 'as']);
      }
    }
  }

  #baseFields(name: string): readonly string[] {
    const type = this.#base.getType(name);
    return isObjectType(type) ? Object.keys(type.getFields()) : [];
  }
}

/** A definition with its names. */
export interface Paired<D, N> {
  readonly key: string;
  readonly definition: D;
  readonly names: N;
  /** The keys of the entry that holds the names. */
  readonly path: readonly string[];
}

/** A name that cannot be used. */
export interface NameProblem {
  /** Says what to write, without a full stop. */
  readonly problem: string;
  /** The entries of the mapping that it is about, first the one to change. */
  readonly entries: readonly string[];
  /** The name that is another's or reserved, such as `the field "id"`. Undefined for other problems. */
  readonly clash?: string;
  /** Whether the name is empty: none has been chosen. */
  readonly isOpen?: boolean;
}

/** The problems of a mapping, in the order in which they were found. */
class NameProblems {
  readonly #found: NameProblem[] = [];
  /** The entries to change. */
  readonly #entries = new Set<string>();

  get all(): readonly NameProblem[] {
    return this.#found;
  }

  /**
   * Notes a problem of an entry.
   *
   * @param path the keys of the entry in the mapping
   * @param problem without a full stop
   * @param others keys of further entries that it is about
   */
  note(
    path: readonly string[],
    problem: string,
    { others = [], ...kind }: Pick<NameProblem, 'clash' | 'isOpen'> & { others?: readonly (readonly string[])[] } = {},
  ): void {
    this.#entries.add(namesEntry(path));
    this.#found.push({ problem, entries: [path, ...others].map(namesEntry), ...kind });
  }

  /** Whether an entry has a problem. What is made of its name has one, too, but the first says what to write. */
  has(path: readonly string[]): boolean {
    return this.#entries.size > 0 && this.#entries.has(namesEntry(path));
  }
}

/** The place of an entry of the mapping in the snapshot. */
export function namesEntry(path: readonly string[]): string {
  return entryPath(['names', ...path]);
}

/** Names of one kind that must differ: the types of a schema, the fields of a type, the values of an enum. */
export class NameRegister {
  /** Such as `type`, for messages. */
  readonly #kind: string;
  readonly #reserved: ReadonlySet<string>;
  readonly #problems: NameProblems;
  /** The keys of the entry that has the name. */
  readonly #taken = new Map<string, readonly string[]>();

  constructor(kind: string, reserved: Iterable<string>, problems: NameProblems) {
    this.#kind = kind;
    this.#reserved = new Set(reserved);
    this.#problems = problems;
  }

  /**
   * Takes a name for an entry of the mapping, or notes a problem.
   *
   * @param path the keys of the entry
   * @param names all names that come with it, each once; by default the name alone
   * @returns whether it could be taken
   */
  take(name: string, path: readonly string[], names: readonly string[] = [name]): boolean {
    const problem = this.#problemOf(name);
    const other = names.find((one) => this.#reserved.has(one) || this.#taken.has(one));
    if (problem !== undefined) this.#problems.note(path, problem, { isOpen: name === '' });
    else if (other !== undefined) this.#noteOther(other, name, path);
    else for (const one of names) this.#taken.set(one, path);
    return problem === undefined && other === undefined;
  }

  #problemOf(name: string): string | undefined {
    if (name === '') return `write a name for this ${this.#kind}${this.#kind === 'field' ? OR_NULL : ''}`;
    if (!/^[_a-zA-Z]\w*$/.test(name))
      return `${quoted(name)} is no name in GraphQL: write letters of ASCII, digits and _, and no digit first`;
    if (name.startsWith('__')) return `${quoted(name)} begins with __, which GraphQL reserves: write another name`;
    return undefined;
  }

  #noteOther(other: string, name: string, path: readonly string[]): void {
    const which = `the ${this.#kind} ${quoted(other)}${other === name ? '' : `, made of ${quoted(name)},`}`;
    const owner = this.#taken.get(other);
    const problem = owner ? `${which} is that of ${namesEntry(owner)}` : `${which} is reserved`;
    this.#problems.note(path, `${problem}: write another name`, { clash: which, others: owner ? [owner] : [] });
  }
}

const OR_NULL = ', or null to leave it in `extra`';

/** Records of other APIs that a field may hold the id of. */
const RECORD_TYPES: readonly string[] = ['Client', 'Contact', 'Deal', 'Post'];

/** Types of fields that can hold an id. */
const ID_TYPES: readonly TypedField['type'][] = ['string', 'text', 'integer', 'number'];

interface Mention {
  readonly reference: Reference;
  readonly type: TypedField['type'];
  readonly path: readonly string[];
}

import type { GraphQLSchema } from 'graphql';
import { quoted } from '../snapshot/entry-path.ts';
import { NameProblems } from './name-problems.ts';
import { NameRegister } from './name-register.ts';
import { ReferenceChecks } from './references.ts';
import { derivedMutations, derivedTypes, reservedNames } from './reserved-names.ts';

/** The problem of an entry that is missing. */
export const MISSING = 'the entry is missing: run `trivium flex pull`';

/** The names that a schema has taken while a model is made, and their problems. */
export class Naming {
  readonly problems = new NameProblems();
  readonly types: NameRegister;
  readonly queryFields: NameRegister;
  readonly mutationFields: NameRegister;
  readonly references: ReferenceChecks;

  constructor(base: GraphQLSchema) {
    const { types, query, mutation } = reservedNames(base);
    this.types = new NameRegister('type', types, this.problems);
    this.queryFields = new NameRegister('field of Query', query, this.problems);
    this.mutationFields = new NameRegister('field of Mutation', mutation, this.problems);
    this.references = new ReferenceChecks(base, this.problems);
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
    const pairs: { key: string; definition: D; names: N; path: readonly string[] }[] = [];
    for (const [key, definition] of Object.entries(definitions)) {
      const name = Object.hasOwn(names, key) ? names[key] : undefined;
      if (name === undefined) this.problems.note([...path, key], MISSING);
      else pairs.push({ key, definition, names: name, path: [...path, key] });
    }
    return pairs;
  }
}

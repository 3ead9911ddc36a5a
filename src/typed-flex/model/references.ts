import type { GraphQLSchema } from 'graphql';
import { isObjectType } from 'graphql';
import { quoted } from '../snapshot/entry-path.ts';
import type { Reference, TypedField, TypedTable } from './model.ts';
import type { NameProblems } from './name-problems.ts';
import { NameRegister } from './name-register.ts';
import { ROW_FIELDS } from './reserved-names.ts';

/** Records of other APIs that a field may hold the id of. */
const RECORD_TYPES: readonly string[] = ['Client', 'Contact', 'Deal', 'Post'];

/** Types of fields that can hold an id. */
const ID_TYPES: readonly TypedField['type'][] = ['string', 'text', 'integer', 'number'];

interface Mention {
  readonly reference: Reference;
  readonly type: TypedField['type'];
  readonly path: readonly string[];
}

/** Checks references once all tables are known: a field may refer to a later one. */
export class ReferenceChecks {
  readonly #base: GraphQLSchema;
  readonly #problems: NameProblems;
  readonly #mentions: Mention[] = [];

  constructor(base: GraphQLSchema, problems: NameProblems) {
    this.#base = base;
    this.#problems = problems;
  }

  /** Notes a reference, to be checked later. */
  add(mention: Mention): void {
    this.#mentions.push(mention);
  }

  /**
   * Notes the problems of all references.
   *
   * @param isWhole whether all tables have a type. Else a reference to none is not judged: its table may lack one
   */
  check(tables: readonly TypedTable[], isWhole: boolean): void {
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
        this.#problems.note(path, `${quoted(typeName)} cannot be referred to: write ${types}`);
      } else if (!ID_TYPES.includes(type)) {
        this.#problems.note(path, `a field of the type ${type} holds no id: remove references`);
      } else if (reverseField !== undefined) {
        const register = registers.get(typeName) ?? new NameRegister(`field of ${typeName}`, fields, this.#problems);
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

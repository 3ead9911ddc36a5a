import type { GraphQLFieldConfigMap, GraphQLObjectType } from 'graphql';
import type { Context } from '../../context.ts';
import type { TypedModel } from '../model/model.ts';
import { type Referring, reverseList } from './reverse-list.ts';
import type { SharedTypes } from './shared-types.ts';
import { nodeType, recordsOf } from './typed-records.ts';

/** The records that fields of a type refer to. */
export interface Target {
  readonly type: GraphQLObjectType;
  /** Loads a record by its upstream id, in a batch. Null when it does not exist or the caller cannot see it. */
  readonly load: (id: string, context: Context) => Promise<object | null>;
}

/** Finds the types of tables by their names. */
export interface TableTypes {
  readonly record: (typeName: string) => GraphQLObjectType;
  readonly connection: (typeName: string) => GraphQLObjectType;
}

/** The references between the records of a model, and those to records of other APIs. */
export class Joins {
  readonly #shared: SharedTypes;
  readonly #types: TableTypes;
  readonly #nodes: ReadonlyMap<string, ReturnType<typeof nodeType>>;
  /** The references that have a list at their other end, by the type that has the list. */
  readonly #reverse = new Map<string, Referring[]>();

  constructor({ databases }: TypedModel, shared: SharedTypes, types: TableTypes) {
    this.#shared = shared;
    this.#types = types;
    this.#nodes = new Map(
      databases.flatMap((database) =>
        database.tables.map((table) => [table.typeName, nodeType(recordsOf(database, table))] as const),
      ),
    );
    for (const database of databases)
      for (const table of database.tables) for (const field of table.fields) this.#note({ database, table, field });
  }

  /** The records of a type, of a table or of another API. */
  target(typeName: string): Target {
    const node = this.#nodes.get(typeName);
    if (node)
      return { type: this.#types.record(typeName), load: (id, context) => node.getDataloader(context).load(id) };
    const type = this.#shared.object(typeName);
    return { type, load: (id, context) => loaderOf(type, context).load(id) };
  }

  /** The types outside of the model that have lists of records which refer to them. */
  get outerTypes(): readonly string[] {
    return [...this.#reverse.keys()].filter((name) => !this.#nodes.has(name));
  }

  /** The lists that a type has of records which refer to it. */
  reverseFields(typeName: string): GraphQLFieldConfigMap<{ readonly id: string }, Context> {
    const referring = this.#reverse.get(typeName) ?? [];
    return Object.fromEntries(
      referring.map((from) => [
        from.field.references?.reverseField,
        reverseList(from, this.#types.connection(from.table.typeName)),
      ]),
    );
  }

  #note(referring: Referring): void {
    const { references } = referring.field;
    if (references?.reverseField === undefined) return;
    const others = this.#reverse.get(references.typeName) ?? [];
    this.#reverse.set(references.typeName, [...others, referring]);
  }
}

type Loader = ReturnType<ReturnType<typeof nodeType>['getDataloader']>;

/** The loader of a type of the builder: `nodeRef` keeps it among the extensions of the type. */
function loaderOf(type: GraphQLObjectType, context: Context): Loader {
  const { getDataloader } = type.extensions;
  const loader: unknown = typeof getDataloader === 'function' ? getDataloader(context) : undefined;
  if (isLoader(loader)) return loader;
  throw new Error(`The type ${type.name} has no loader.`);
}

function isLoader(value: unknown): value is Loader {
  return typeof value === 'object' && value !== null && 'load' in value && typeof value.load === 'function';
}

import type { FlexFieldTypeName } from '../../apis/flex/field-types.ts';
import type { publicOperations } from '../../apis/flex/public-operations.ts';
import type { MethodDefinition } from '../snapshot/definition.ts';

// The typed part of a schema as data: what a snapshot defines, under the names that its mapping gives. Types are built
// from it and nothing else.

export interface TypedModel {
  /** Those with a definition. The others stay `FlexDb` and `JSONObject`. */
  readonly databases: readonly TypedDatabase[];
}

export interface TypedDatabase {
  /** Upstream id. */
  readonly id: string;
  /** Its key in the snapshot, for messages: the code, or the id of a database without one. */
  readonly key: string;
  /** Field of `Query`, such as `tracker`. */
  readonly queryField: string;
  /** Type of that field, such as `Tracker`. */
  readonly typeName: string;
  /** One table without a name, or several with names. */
  readonly tables: readonly TypedTable[];
  /** Type of the records of no table, such as `TrackerUntabled`. Undefined in a database of one table without a name. */
  readonly untabledTypeName: string | undefined;
  /** Undefined when no public method is on. */
  readonly publicMethods: PublicMethods | undefined;
}

export interface TypedTable {
  /** Null for the only table of a database without tables. */
  readonly name: string | null;
  /** Type of a record, such as `TrackerTask`. Other types of the table begin with it. */
  readonly typeName: string;
  /** Field of the database's type that lists records, such as `tasks`. */
  readonly listField: string;
  /** Field of the database's type that reads one record, such as `task`. */
  readonly oneField: string;
  /** In the order of the definition, without those that the mapping leaves to `extra`. */
  readonly fields: readonly TypedField[];
}

export interface TypedField {
  /** Key of the data. */
  readonly name: string;
  /** Name in GraphQL, such as `dueAt`. */
  readonly graphqlName: string;
  /** Name in enums, such as `DUE_AT`. */
  readonly enumValue: string;
  /** `json` for a type that is not documented, and for a public field whose tables disagree. */
  readonly type: FlexFieldTypeName | 'json';
  readonly required: boolean;
  /** Column of the index; null for a field without one. */
  readonly indexColumn: string | null;
  /** The record that its value is the id of. */
  readonly references: Reference | undefined;
}

export interface Reference {
  /** `Client`, `Post`, `Deal`, `Contact`, or the type of a table. */
  readonly typeName: string;
  /** Field of that type that lists the records which refer to it, such as `trackerTasks`. Undefined when there is none. */
  readonly reverseField: string | undefined;
}

export type PublicOperation = keyof typeof publicOperations;

/** The methods of a database that anyone may call. Public methods but `search` know no tables. */
export interface PublicMethods {
  readonly code: string;
  /** Field of `Query`, such as `publicGuestbook`. */
  readonly queryField: string;
  /** Type of that field, such as `PublicGuestbook`. */
  readonly typeName: string;
  /** Type of a record, such as `PublicGuestbookRow`. */
  readonly rowTypeName: string;
  /** The methods that are on, with their options. */
  readonly methods: ReadonlyMap<PublicOperation, MethodDefinition>;
  /** Names of the tables, for `search`, with their values of an enum. Empty in a database of one table without a name. */
  readonly tables: readonly { readonly name: string; readonly enumValue: string }[];
  /**
   * Fields of all tables, without references. Where a method that reads is on, answers tell them anyway; elsewhere those alone
   * that an option of `create` or `update` names, or all when one of them takes any.
   */
  readonly fields: readonly TypedField[];
}

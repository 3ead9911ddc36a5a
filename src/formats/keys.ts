/** A key of a record. */
export interface Key {
  /** The kind of its values. It says how they are decoded, compared and shown. */
  readonly kind:
    | 'text'
    | 'id'
    | 'boolean'
    | 'integer'
    | 'decimal'
    | 'date'
    | 'instant'
    | 'dateOrInstant'
    | 'textOrList'
    | 'object'
    | 'objectOrList';
  /** The name of the GraphQL field and input. By default the wire name in camel case. */
  readonly field?: string;
  /** The description of the GraphQL field. A key without one has no derived field. */
  readonly about?: string;
  /** The description of the input. By default that of the field. */
  readonly input?: string;
  /** The document names it without a word on writing: the description of the input says that upstream may ignore it. */
  readonly unproven?: true;
  /** Callers cannot send it: it has no input. */
  readonly readOnly?: true;
  /** For an id: the GraphQL type of the record, whose global ids the input accepts, too. */
  readonly of?: string;
  /** The description of the key in the filters `isNull` and `isNotNull`. A key without one cannot be given there. */
  readonly isNull?: string;
  /** Its name there. By default the wire name, for an id without `_id`. */
  readonly isNullName?: string;
}

/** Keys by their wire names. */
export type Keys = Readonly<Record<string, Key>>;

/** The wire names of the keys that a caller may send. */
export type SentKey<Table extends Keys> = {
  [Wire in keyof Table & string]: Table[Wire] extends { readOnly: true } ? never : Wire;
}[keyof Table & string];

/** The type of `camelCased(wire)`. */
export type CamelCased<Wire extends string> = Wire extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCased<Rest>>}`
  : Wire;

/** A record with the keys of a table, as upstream sends it. */
export type RecordOf<Table extends Keys> = { readonly id: string } & ValuesOf<Table>;

export type ValuesOf<Table extends Keys> = { readonly [Wire in keyof Table]?: unknown };

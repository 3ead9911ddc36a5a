import type { InputFieldMap, InputFieldRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { builder, type InputFieldBuilder } from './builder.ts';
import { wireValues } from './enums.ts';
import { referenceId } from './ids.ts';
import type { Context } from '../operation/context.ts';
import { camelCased } from '../errors.ts';
import { boolean, decimal, identifier, integer, raw, text } from '../formats/leaves.ts';
import type { CamelCased, Key, Keys, SentKey } from '../formats/keys.ts';

// GraphQL fields, inputs and null filters, derived from a table of keys.

type FieldResolver<T, V> = (record: T, args: object, context: Context, info: GraphQLResolveInfo) => V | Promise<V>;

type Types = typeof builder.$inferSchemaTypes;

/** The GraphQL type and the decoder of each kind. Fields of a kind without them are defined by hand. */
const graphqlKinds = {
  text: { type: 'String', leaf: text },
  id: { type: 'ID', leaf: identifier },
  boolean: { type: 'Boolean', leaf: boolean },
  integer: { type: 'SafeInt', leaf: integer },
  decimal: { type: 'Decimal', leaf: decimal },
  date: { type: 'Date', leaf: raw },
  instant: { type: 'DateTime', leaf: raw },
  dateOrInstant: { type: 'DateOrDateTime', leaf: raw },
  textOrList: undefined,
  object: undefined,
  objectOrList: undefined,
} as const;

const fieldName = (wire: string, { field = camelCased(wire.replaceAll('-', '_')) }: Key) => field;

/** Describes an input that upstream may not take. */
export const notForWriting = (about: string) =>
  `${about} The field is documented, but not for writing: upstream may ignore it.`;

/**
 * Creates the fields of a type, for the keys that have a description.
 *
 * @param resolverOf creates the resolver of a key
 */
export function keyFields<T extends object, Name extends keyof T & string>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, T>,
  keys: Readonly<Record<Name, Key>>,
  resolverOf: <V>(key: NoInfer<Name>, read: (value: unknown) => V) => FieldResolver<T, V>,
) {
  return Object.fromEntries(
    wireValues(keys).flatMap((wire) => {
      const { kind, about } = keys[wire];
      const shown = graphqlKinds[kind];
      if (about === undefined || !shown) return [];
      const field = t.field({ type: shown.type, description: about, resolve: resolverOf(wire, shown.leaf) });
      return [[fieldName(wire, keys[wire]), field]];
    }),
  );
}

interface InputValues {
  readonly boolean: boolean;
  readonly integer: number;
}
type InputValue<Kind> = Kind extends keyof InputValues ? InputValues[Kind] : string;

/** The inputs of a table, by name. */
type InputFields<Table extends Keys> = {
  [
    Wire in SentKey<Table> as Table[Wire] extends { about: string } | { input: string }
      ? Table[Wire] extends { field: infer Field extends string }
        ? Field
        : CamelCased<Wire>
      : never
  ]: InputFieldRef<Types, InputValue<Table[Wire]['kind']> | null | undefined>;
};

/** Creates the input fields, for the keys that have a description and that callers can send. */
export function keyInputs<Table extends Keys>(t: InputFieldBuilder, keys: Table): InputFields<Table>;
export function keyInputs(t: InputFieldBuilder, keys: Keys): InputFieldMap {
  return Object.fromEntries(
    Object.entries(keys).flatMap(([wire, key]) => {
      const { kind, about, input = about, readOnly, unproven } = key;
      const shown = graphqlKinds[kind];
      if (input === undefined || readOnly || !shown) return [];
      const description = unproven ? notForWriting(input) : input;
      return [[fieldName(wire, key), t.field({ type: shown.type, description })]];
    }),
  );
}

/** The values of an input, by GraphQL name. */
type Input = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Creates a function that gives the values of an input by wire name, as the CRM takes them, in the order of the table. Those that
 * are not given are left out. Called once for a table: it looks at all of its keys.
 *
 * @param group the path of the input, such as `address.`, where it is a group of fields
 * @returns throws ValidationError for an id that is empty or of another type
 */
export function sentKeys(keys: Keys, group = ''): (input: Input) => Record<string, Input[string]> {
  const fields = Object.entries(keys).map(([wire, key]) => ({ wire, key, field: fieldName(wire, key) }));
  return (input) => {
    const sent: Record<string, Input[string]> = {};
    for (const { wire, key, field } of fields) {
      const value = input[field];
      if (value === undefined) continue;
      const isId = key.kind === 'id' && typeof value === 'string';
      sent[wire] = isId ? referenceId(value, group + field, key.of) : value;
    }
    return sent;
  };
}

/** The path in the input of each key, such as `['post_code', 'address.postCode']`. @param group as `sentKeys` takes it */
export function inputPaths(keys: Keys, group = ''): (readonly [wire: string, path: string])[] {
  return Object.entries(keys).flatMap(([wire, key]) => (key.readOnly ? [] : [[wire, group + fieldName(wire, key)]]));
}

/** Creates the enum of the keys that the filters `isNull` and `isNotNull` accept. */
export function nullableKeys<Name extends string>(
  name: string,
  description: string,
  keys: Readonly<Record<Name, Key>>,
) {
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(
      wireValues(keys).flatMap((value) => {
        const { kind, isNull, isNullName = kind === 'id' ? value.replace(/_id$/, '') : value } = keys[value];
        return isNull === undefined ? [] : [[isNullName.toUpperCase(), { value, description: isNull }]];
      }),
    ),
  });
}

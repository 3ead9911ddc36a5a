import { memoize1 } from '@graphql-tools/utils';
import { DirectiveLocation, GraphQLDirective, GraphQLNonNull, GraphQLString } from 'graphql';
import { LONG_TEXT } from '../../graph/field-rules.ts';
import type { TypedField } from '../model/model.ts';

// Directives that tell, in the printed schema, which part of a definition a type or a field was made of.

const FLEX_TABLE = 'flexTable';
const FLEX_FIELD = 'flexField';

const flexTable = new GraphQLDirective({
  name: FLEX_TABLE,
  description: 'The table of a flexible database that the records of a type belong to.',
  locations: [DirectiveLocation.OBJECT],
  args: {
    db: {
      type: new GraphQLNonNull(GraphQLString),
      description: 'Code of the database, or its id when it has no code.',
    },
    table: { type: GraphQLString, description: 'Name of the table. Null in a database without tables.' },
  },
});

/** The definition of the directive of fields. */
export const flexField = new GraphQLDirective({
  name: FLEX_FIELD,
  description: 'The key of the data that a field shows or sets, where the two have different names.',
  locations: [DirectiveLocation.FIELD_DEFINITION, DirectiveLocation.INPUT_FIELD_DEFINITION],
  args: { name: { type: new GraphQLNonNull(GraphQLString), description: 'The key.' } },
});

/** The definitions of all directives. */
export const directives = [flexTable, flexField];

/** The extensions of the type of a table, by which `printSchemaWithDirectives` prints the directive. */
export function tableDirective(db: string, table: string | null) {
  return { directives: { [FLEX_TABLE]: table === null ? { db } : { db, table } } };
}

/** The extensions of a field: a directive where its name differs from the key of the data, and whether its values are long texts. */
export function fieldExtensions(field: TypedField): Readonly<Record<string, unknown>> {
  if (field.name !== field.graphqlName) return renamed(field);
  return field.type === 'text' ? longText : none;
}

// The types of a table share them, and graphql-js takes objects without a prototype as they are: a start makes the types of
// thousands of fields.

const renamed = memoize1(({ name, type }: TypedField): Readonly<Record<string, unknown>> =>
  Object.assign(Object.create(null), { directives: { [FLEX_FIELD]: { name } } }, type === 'text' && longText),
);

const none: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null));
const longText: Readonly<Record<string, unknown>> = Object.freeze(
  Object.assign(Object.create(null), { [LONG_TEXT]: true }),
);

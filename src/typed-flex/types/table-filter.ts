import {
  GraphQLEnumType,
  type GraphQLEnumValueConfig,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  GraphQLNonNull,
  type GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { isFilterable, isListable, isSortable } from '../../apis/flex/search-input.ts';
import type { TypedField, TypedTable } from '../model/model.ts';
import { enumType } from './base-types.ts';
import { fieldExtensions } from './directives.ts';
import { inputType } from './field-values.ts';
import { addFields, isShadowed } from './table-fields.ts';

/** The required value of a field that holds texts. */
export const TextMatch = new GraphQLInputObjectType({
  name: 'TextMatch',
  description: 'The required text of a field: set exactly one field.',
  isOneOf: true,
  fields: {
    equals: {
      type: GraphQLString,
      description:
        'Exactly this text. The gateway refuses a text with * or %, because upstream would read it as a pattern.',
    },
    matches: {
      type: GraphQLString,
      description:
        'A case-insensitive pattern with the wildcards * and %. The gateway refuses a text without wildcards.',
    },
  },
});

const UNINDEXED = 'Not indexed: slower.';

/** Whether a search can have a condition on a field: not on JSON, and not where upstream takes the name for another. */
export function canHaveCondition({ name, type }: TypedField): boolean {
  return type !== 'json' && isFilterable(name) && !isShadowed(name);
}

/** Creates the input of a table's conditions. Undefined when no field can have one. */
export function filterInput(table: TypedTable, base: GraphQLSchema): GraphQLInputObjectType | undefined {
  const fields = table.fields.filter(canHaveCondition);
  if (fields.length === 0) return undefined;
  return new GraphQLInputObjectType({
    name: `${table.typeName}Filter`,
    description: 'Conditions, one per field. A record must match all of them.',
    fields: () => addFields({}, fields, (field) => filterField(field, base)),
  });
}

function filterField(field: TypedField, base: GraphQLSchema): GraphQLInputFieldConfig {
  const type = inputType(field, base);
  return {
    type: type === GraphQLString ? TextMatch : type,
    description: field.indexColumn === null ? `The required value. ${UNINDEXED}` : 'The required value.',
    extensions: fieldExtensions(field),
  };
}

/** Creates the enum of the fields that a phrase is searched in. Undefined when there is none. */
export function searchedFields({ typeName, fields }: TypedTable): GraphQLEnumType | undefined {
  const listable = fields.filter(({ name }) => isListable(name) && !isShadowed(name));
  if (listable.length === 0) return undefined;
  return new GraphQLEnumType({
    name: `${typeName}Field`,
    description: 'A field of the data.',
    values: () => Object.fromEntries(enumValues(listable, 'Indexed: a phrase is searched in it by default.')),
  });
}

const recordOrders = Object.entries<GraphQLEnumValueConfig>({
  ID: { value: 'id', description: 'Id of the record: the default. No two are equal, so rows keep their order.' },
  CREATED_AT: {
    value: 'created_at',
    description: 'Time of the creation. New records come last, so pages stay as they are while records are added.',
  },
  UPDATED_AT: { value: 'updated_at', description: 'Time of the last change.' },
});

/** Creates the input of a table's order. */
export function orderInput(
  { typeName, fields }: Pick<TypedTable, 'typeName' | 'fields'>,
  base: GraphQLSchema,
): GraphQLInputObjectType {
  const sort = new GraphQLEnumType({
    name: `${typeName}Sort`,
    description: 'A field to order by.',
    values: () => {
      const sortable = fields.filter(({ name }) => isSortable(name) && !isShadowed(name));
      return Object.fromEntries([...recordOrders, ...enumValues(sortable)]);
    },
  });
  return new GraphQLInputObjectType({
    name: `${typeName}Order`,
    description:
      'The order of records. Cursors are positions: in any order but that by ID, records with equal values may change ' +
      'places between two calls, and a change of a record may move pages.',
    fields: {
      field: { type: new GraphQLNonNull(sort), description: 'The field to order by.' },
      direction: {
        type: enumType(base, 'SortDirection'),
        defaultValue: 'ASC',
        description: 'Ascending or descending.',
      },
    },
  });
}

/** @param indexed describes the value of a field that is indexed */
function enumValues(fields: readonly TypedField[], indexed?: string): (readonly [string, GraphQLEnumValueConfig])[] {
  return fields.map(({ name, enumValue, indexColumn }) => [
    enumValue,
    { value: name, description: indexColumn === null ? UNINDEXED : indexed },
  ]);
}

import { builder } from '../builder.ts';
import { SortDirection } from '../lists/sort-direction.ts';
import { ValidationError } from '../http/errors.ts';
import type { SearchParameters } from './wire.ts';

const FlexMatch = builder.inputType('FlexMatch', {
  description: 'What a field has to be: one of these.',
  isOneOf: true,
  fields: (t) => ({
    equals: t.field({
      type: 'JSON',
      description:
        'Exactly this text, number or boolean, converted to the type that the schema gives the field. A text with * ' +
        'or % is refused: upstream would take it for a pattern.',
    }),
    matches: t.string({
      description: 'A pattern with the wildcards * and %, whatever the case of its letters; without one it is refused.',
    }),
  }),
});

export const FlexFilter = builder.inputType('FlexFilter', {
  description: 'A condition on one field.',
  fields: (t) => ({
    field: t.string({ required: true, description: 'The field.' }),
    is: t.field({ type: FlexMatch, required: true, description: 'What it has to be.' }),
  }),
});

export const FlexSort = builder.inputType('FlexSort', {
  description: 'An order of records.',
  fields: (t) => ({
    field: t.string({ required: true, description: '`id`, `created_at`, `updated_at`, or a field of the data.' }),
    direction: t.field({ type: SortDirection, defaultValue: 'ASC', description: 'Which end comes first.' }),
  }),
});

export type Sort = typeof FlexSort.$inferInput;

export interface SearchArguments {
  readonly table?: string | null | undefined;
  readonly query?: string | null | undefined;
  readonly in?: readonly string[] | null | undefined;
  readonly filter?: readonly (typeof FlexFilter.$inferInput)[] | null | undefined;
  readonly sort?: Sort | null | undefined;
}

/**
 * A search as upstream takes it.
 *
 * @param fields those of the data to ask for; null for all of them
 * @throws ValidationError for what its syntax cannot express
 */
export function searchParameters(search: SearchArguments, fields: readonly string[] | null): SearchParameters {
  return {
    table_name: search.table ?? undefined,
    q: search.query ?? undefined,
    search_in: search.in ? commaSeparated(search.in, 'in') : undefined,
    sort: sortParameter(search.sort),
    fields: fields ? commaSeparated(fields.length > 0 ? fields : ['id'], 'fields') : undefined,
    filters: filterParameters(search.filter ?? []),
  };
}

/** `-name` is descending. */
export function sortParameter(sort: Sort | null | undefined): string | undefined {
  if (!sort) return undefined;
  refuseIf(sort.field.startsWith('-') || sort.field === '', 'sort.field', 'takes the name of a field; see `direction`');
  return `${sort.direction === 'DESC' ? '-' : ''}${sort.field}`;
}

function commaSeparated(names: readonly string[], argument: string): string {
  refuseIf(
    names.some((name) => name.includes(',') || name === ''),
    argument,
    'takes names that hold no comma',
  );
  return names.join(',');
}

const MOST_FILTERS = 100;

function filterParameters(filters: NonNullable<SearchArguments['filter']>): Record<string, string> {
  refuseIf(filters.length > MOST_FILTERS, 'filter', `takes ${MOST_FILTERS} conditions at most`);
  const parameters = new Map<string, string>();
  for (const [index, { field, is }] of filters.entries()) {
    const path = `filter.${index}`;
    refuseIf(/[[\]]/.test(field) || field === '', `${path}.field`, 'takes the name of a field, without brackets');
    refuseIf(parameters.has(field), `${path}.field`, 'stands twice: upstream takes one condition a field');
    const pattern = is.matches;
    const isNone = typeof pattern === 'string' && !/[*%]/.test(pattern);
    refuseIf(isNone, `${path}.is.matches`, 'holds no wildcard, so upstream would take it exactly: see `equals`');
    parameters.set(field, typeof pattern === 'string' ? pattern : exactly(is.equals, `${path}.is.equals`));
  }
  return Object.fromEntries(parameters);
}

function exactly(value: unknown, path: string): string {
  refuseIf(!['string', 'number', 'boolean'].includes(typeof value), path, 'takes a text, a number or a boolean');
  const parameter = String(value);
  refuseIf(/[*%]/.test(parameter), path, 'holds * or %, which upstream takes for wildcards: see `matches`');
  return parameter;
}

function refuseIf(wrong: boolean, path: string, reason: string): void {
  if (wrong) throw new ValidationError(`${path} ${reason}.`, { [path]: [reason] });
}

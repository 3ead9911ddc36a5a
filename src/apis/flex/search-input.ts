import { builder } from '../../graph/builder.ts';
import { SortDirection } from '../../graph/lists/orders.ts';
import { invalidInput, mapFieldPaths } from '../../errors.ts';
import type { SearchParameters } from './wire.ts';

const FlexMatch = builder.inputType('FlexMatch', {
  description: 'The required value of a field: set exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    equals: t.field({
      type: 'JSON',
      description:
        'Exactly this text, number or boolean. Upstream converts it to the type of the field in the schema. The gateway ' +
        'refuses a text with * or %, because upstream would read it as a pattern.',
    }),
    matches: t.string({
      description:
        'A case-insensitive pattern with the wildcards * and %. The gateway refuses a text without wildcards.',
    }),
  }),
});

export const FlexFilter = builder.inputType('FlexFilter', {
  description: 'A condition on one field.',
  fields: (t) => ({
    field: t.string({ required: true, description: 'Name of the field.' }),
    is: t.field({ type: FlexMatch, required: true, description: 'The required value.' }),
  }),
});

export const FlexSort = builder.inputType('FlexSort', {
  description: 'The order of records.',
  fields: (t) => ({
    field: t.string({
      required: true,
      description:
        '`id`, `created_at`, `updated_at`, or a field of the data. Cursors are positions: in the ascending order by ' +
        '`created_at`, new records come last, so pages stay as they are while records are added. The order by `id` is ' +
        'unambiguous, while records with equal values of another field may change places between two calls.',
    }),
    direction: t.field({ type: SortDirection, defaultValue: 'ASC', description: 'Ascending or descending.' }),
  }),
});

export type Sort = typeof FlexSort.$inferInput;

type SearchCondition = typeof FlexFilter.$inferInput & {
  /** Paths of the input for errors, where it is not a list of conditions. */
  readonly paths?: { readonly equals: string; readonly matches: string };
};

export interface SearchArguments {
  readonly table?: string | null | undefined;
  readonly query?: string | null | undefined;
  readonly in?: readonly string[] | null | undefined;
  readonly filter?: readonly SearchCondition[] | null | undefined;
  readonly sort?: Sort | null | undefined;
  readonly allowUndefinedFields?: boolean | null | undefined;
}

/**
 * Maps a search to the query parameters of `GET /flex/dbs/:db_id/search.json`.
 *
 * @param fields names of the data's fields to request; null for all
 * @throws ValidationError for arguments that the parameters cannot express
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

/**
 * Maps an order to the `sort` parameter, in which `-name` is descending.
 *
 * @throws ValidationError for a name that is empty or starts with `-`
 */
export function sortParameter(sort: Sort | null | undefined): string | undefined {
  if (!sort) return undefined;
  refuseIf(!isSortable(sort.field), 'sort.field', 'takes the name of a field; use `direction` for a descending order');
  return `${sort.direction === 'DESC' ? '-' : ''}${sort.field}`;
}

/** For `.catch` of a search: upstream's parameters become the arguments of the field. */
export const mapToSearchPaths = mapFieldPaths(searchArgument);

/** The argument of a search that becomes a parameter of upstream. Undefined for a parameter of the same name. */
export function searchArgument(parameter: string): string | undefined {
  return searchArguments.get(parameter);
}

const searchArguments: ReadonlyMap<string, string> = new Map([
  ['table_name', 'table'],
  ['q', 'query'],
  ['search_in', 'in'],
  ['limit', 'first'],
  ['offset', 'after'],
]);

function commaSeparated(names: readonly string[], argument: string): string {
  refuseIf(!names.every(isListable), argument, 'takes names without commas');
  return names.join(',');
}

/** Whether a search can name a field among others, such as those to return. */
export const isListable = (name: string): boolean => name !== '' && !name.includes(',');

/** Whether a search can have a condition on a field. */
export const isFilterable = (name: string): boolean => name !== '' && !name.includes('[') && !name.includes(']');

/** Whether a search can be ordered by a field. */
export const isSortable = (name: string): boolean => name !== '' && !name.startsWith('-');

const MAX_FILTERS = 100;

function filterParameters(filters: NonNullable<SearchArguments['filter']>): Record<string, string> {
  refuseIf(filters.length > MAX_FILTERS, 'filter', `takes ${MAX_FILTERS} conditions at most`);
  const parameters = new Map<string, string>();
  for (const [index, { field, is, paths }] of filters.entries()) {
    const path = `filter.${index}`;
    const { equals, matches } = paths ?? { equals: `${path}.is.equals`, matches: `${path}.is.matches` };
    refuseIf(!isFilterable(field), `${path}.field`, 'takes the name of a field, without brackets');
    refuseIf(parameters.has(field), `${path}.field`, 'appears twice: upstream takes one condition per field');
    const pattern = is.matches;
    const lacksWildcard = typeof pattern === 'string' && !/[*%]/.test(pattern);
    refuseIf(lacksWildcard, matches, 'has no wildcard; use `equals` for an exact value');
    parameters.set(field, typeof pattern === 'string' ? pattern : exactValue(is.equals, equals));
  }
  return Object.fromEntries(parameters);
}

function exactValue(value: unknown, path: string): string {
  refuseIf(!['string', 'number', 'boolean'].includes(typeof value), path, 'takes a text, a number or a boolean');
  const parameter = String(value);
  refuseIf(
    /[*%]/.test(parameter),
    path,
    'contains * or %, which upstream reads as wildcards; use `matches` for a pattern',
  );
  return parameter;
}

/** @throws ValidationError when `isInvalid` is true */
function refuseIf(isInvalid: boolean, path: string, reason: string): void {
  if (isInvalid) throw invalidInput(path, reason);
}

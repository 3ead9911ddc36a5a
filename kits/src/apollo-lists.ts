import { type ApolloCache, isReference } from '@apollo/client';
import { writtenRecord } from './outcome.ts';

/** An `update` of a mutation. */
type Update = (cache: ApolloCache, answer: Answer) => void;

interface Answer {
  readonly data?: Readonly<Record<string, Row | null | undefined>> | null | undefined;
  readonly errors?: readonly unknown[] | undefined;
}

/** The result of a mutation that was made. */
interface Row {
  readonly __typename?: string;
  readonly id?: string;
  readonly deletedIds?: readonly string[];
}

/** A connection, as the cache keeps it: all of its pages in one. */
interface List {
  readonly __typename: string;
  readonly totalCount?: number;
  readonly edges?: readonly ({ readonly node?: { readonly __ref?: string } | null } | null)[] | null;
}

/**
 * For a creation, which selects what the rows show: the new record comes first.
 *
 * @param field name of the list's field of the query
 */
export const addToList = (field: string): Update =>
  lists(field, (list, { __typename = '', id }, cache) => {
    if (list.__typename !== `${__typename}Connection`) return list;
    const __ref = cache.identify({ __typename, id });
    if (__ref === undefined) return null;
    if (list.edges?.some((edge) => edge?.node?.__ref === __ref)) return list; // a write that was sent twice with one key
    const edge = { __typename: `${__typename}Edge`, cursor: '', node: { __ref } };
    return { ...counted(list, 1), edges: [edge, ...(list.edges ?? [])] };
  });

/** For a deletion, which selects `deletedIds`: what is gone is in no list, and is counted no more in that of the field. */
export const removeFromList = (field: string): Update =>
  lists(
    field,
    (list, { deletedIds = [] }) => {
      const rows = deletedIds.filter((id) => list.__typename === `${typeOf(id)}Connection`);
      return counted(list, -rows.length);
    },
    (cache, { deletedIds = [] }) => {
      const gone = new Set(deletedIds.flatMap((id) => cache.identify({ __typename: typeOf(id), id }) ?? []));
      cache.modify<Record<string, unknown>>({
        // The open page of a deleted record would be read again.
        fields: (value) => (isReference(value) && gone.has(value.__ref) ? null : value),
      });
      for (const id of gone) cache.evict({ id }); // every list leaves it out from now on
    },
  );

/** For a change: a record may pass another filter than before. */
export const filterAgain = (field: string): Update => lists(field, (list) => list);

/**
 * Changes the lists of a field after a write that was not refused. Those with a filter are read again, as the gateway knows what is
 * in them, and so are all where nothing is known of the record.
 */
function lists(
  field: string,
  change: (list: List, row: Row, cache: ApolloCache) => List | null,
  after?: (cache: ApolloCache, row: Row) => void,
): Update {
  return (cache, { data, errors }) => {
    const row = writtenRecord({ data, error: errors });
    if (row === undefined) return;
    cache.modify<Record<string, unknown>>({
      fields: (list, { fieldName, storeFieldName, DELETE }) => {
        if (fieldName !== field || !isList(list)) return list;
        const isKnown = row && !hasFilter(storeFieldName.slice(field.length + 1));
        return (isKnown && change(list, row, cache)) || DELETE;
      },
    });
    if (row) after?.(cache, row);
  };
}

/** @param key the arguments of a list in the cache; another form than an object is that of another policy, or of none */
function hasFilter(key: string): boolean {
  if (!key.startsWith('{') || !key.endsWith('}')) return key !== '';
  const args = Object.entries<unknown>(JSON.parse(key));
  return args.some(([name, value]) => name !== 'orderBy' && value !== null);
}

function isList(value: unknown): value is List {
  return typeof value === 'object' && value !== null && '__typename' in value && 'edges' in value;
}

const counted = <Kept extends List>(list: Kept, more: number): Kept =>
  list.totalCount === undefined ? list : { ...list, totalCount: list.totalCount + more };

/** The type in a global id. */
const typeOf = (id: string) => id.slice(0, id.indexOf(':'));

import { type ApolloCache, isReference } from '@apollo/client';
import { type Failure, failuresOf, isOpen } from './outcome.ts';

/** An `update` of a mutation. */
type Update = (cache: ApolloCache, answer: Answer) => void;

interface Answer {
  readonly data?: unknown;
  readonly errors?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** The result of a write. */
interface Row {
  readonly __typename?: string;
  readonly id?: string;
  readonly deletedIds?: readonly string[];
}

/** A connection, as `pages` of the kit keeps it. */
interface List {
  readonly __typename: string;
  readonly totalCount?: number;
  readonly edges?: readonly Edge[];
  readonly pageInfo?: {
    readonly hasNextPage?: boolean;
    readonly startCursor?: string | undefined;
    readonly endCursor?: string | undefined;
  };
}

type Edge = { readonly cursor?: string; readonly node?: { readonly __ref?: string } | null } | null;

/**
 * For a creation, which selects what the rows show: the new record comes first in the lists of all that begin with the newest.
 *
 * @param field name of the list's field of the query
 */
export const addToList = (field: string): Update => updating('creation', field);

/** For a deletion, which selects `deletedIds`: what is gone is nowhere, and is counted no more. */
export const removeFromList = (field: string): Update => updating('deletion', field);

/** For a change: a record may pass another filter than before, or have another place. */
export const filterAgain = (field: string): Update => updating('change', field);

/** A write that was made. */
interface Write {
  readonly kind: 'creation' | 'deletion' | 'change';
  readonly field: string;
  /** The types of its records. */
  readonly types: readonly string[];
  /** The keys of its records in the cache. */
  readonly own: ReadonlySet<string | undefined>;
  /** Whether nothing of it can have been counted before. */
  readonly isNew: boolean;
  /** Whether it is an optimistic one. What that would have read again, Apollo Client would not read once the answer is there. */
  readonly isGuess: boolean;
}

/** Each list changes by its own arguments. What only the gateway knows is taken out, and so read again. */
function updating(kind: Write['kind'], field: string): Update {
  const update = (cache: ApolloCache, row: Row, isGuess: boolean, report: unknown): void => {
    const { __typename = '', id, deletedIds = id ? [id] : [] } = row;
    if (/Error$|^NotAttempted$/.test(__typename)) return;
    if (deletedIds.length === 0 && kind !== 'change') return forget(cache);
    const own = new Set(deletedIds.flatMap((id) => cache.identify({ __typename: typeOf(id), id }) ?? []));
    const isKnown = kind !== 'deletion' || keysOf(cache).some((key) => own.has(key));
    const types = kind === 'deletion' ? deletedIds.map(typeOf) : [__typename];
    change(cache, { kind, field, types, own, isGuess, isNew: isKnown && (report ?? 'FIRST') === 'FIRST' });
  };
  return (cache, answer) =>
    cache.batch({
      update() {
        if (isUncertain(answer)) return forget(cache);
        const isGuess = !answer.extensions && linked.has(cache);
        const reports: Readonly<Record<string, unknown>> = Object(answer.extensions?.['idempotency']);
        for (const [name, result] of Object.entries<unknown>(Object(answer.data))) {
          if (Array.isArray(result))
            result.forEach((row, at) => row && update(cache, row, isGuess, reports[`${name}.${at}`]));
          else if (typeof result === 'object' && result) update(cache, result, isGuess, reports[name]);
        }
      },
    });
}

/** The caches behind the link of the kit: all answers but optimistic ones have `extensions` there. */
export const linked: WeakSet<ApolloCache> = new WeakSet();

/** Whether nobody knows what became of a write, or what its record is now. */
export function isUncertain({ data, errors }: Answer): boolean {
  return (
    Object.values(data ?? [null])
      .flat()
      .includes(null) && !failuresOf(errors).every(isRefusal)
  );
}

const isRefusal = (failure: Failure) => failure.extensions?.['outcome'] === 'REFUSED' && !isOpen(failure);

/** Takes all out that the cache has, so that it is read again. */
function forget(cache: ApolloCache): void {
  cache.batch({ update: () => keysOf(cache).forEach((id) => cache.evict({ id })) });
}

const keysOf = (cache: ApolloCache) => Object.keys(Object(cache.extract()));

function change(cache: ApolloCache, write: Write): void {
  const { kind, types, own, isGuess } = write;
  for (const id of keysOf(cache)) {
    cache.modify<Record<string, unknown>>({
      id,
      fields: (value, { storeFieldName, DELETE }) => {
        const now = fieldAfter(write, value, storeFieldName, id === 'ROOT_QUERY');
        return now === undefined ? DELETE : now;
      },
    });
    if (isGuess) continue;
    const isOther = !own.has(id);
    const isTwin =
      isOther &&
      types.some((type) => kinOf(typeOf(id)) === kinOf(type)) &&
      [...own].some((key) => endOf(key) === endOf(id));
    if (isOther ? isTwin : kind === 'deletion') cache.evict({ id });
  }
}

/** What becomes of a field: undefined where it has to be read again. */
function fieldAfter(write: Write, value: unknown, key: string, isRoot: boolean): unknown {
  const now = changedField(write, value, key, isRoot);
  return now === undefined && write.isGuess ? value : now;
}

function changedField(write: Write, value: unknown, key: string, isRoot: boolean): unknown {
  const { kind } = write;
  const name = key.replace(/\W.*/, '');
  if (name.endsWith('ByExternalId') || (kind !== 'change' && name.endsWith('Count'))) return undefined;
  if (kind === 'creation' && key !== name && [value].flat().includes(null)) return undefined; // it may be what was not found
  if (kind === 'deletion' && (isReference(value) || Array.isArray(value))) return without(write.own, value, key, name);
  if (!isPart(value)) return value;
  const [, type] = /^(\w+)Connection$/.exec(value.__typename) ?? [];
  if (type) return isElsewhere(write, type) ? value : listAfter(write, value, key, isRoot && name === write.field);
  const parts = Object.entries(value).map(([key, part]): [string, unknown] => [
    key,
    fieldAfter(write, part, key, false),
  ]);
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}

/** Whether lists of a type cannot have the records of the write. */
const isElsewhere = ({ types }: Write, type: string) =>
  type !== 'Search' && !types.some((other) => kinOf(other) === kinOf(type));

/** A record by arguments, such as those of `client`, is null once it is gone. What is linked to it is read again. */
function without(own: Write['own'], value: unknown, key: string, name: string): unknown {
  const isGone = (value: unknown) => isReference(value) && own.has(value.__ref);
  if (!Array.isArray(value)) return isGone(value) && key !== name ? null : value;
  if (name === 'nodes') return value.map((each: unknown) => (isGone(each) ? null : each));
  return value.some(isGone) ? value.filter((each) => !isGone(each)) : value;
}

/** A list that may have the records of the write; undefined where it has to be read again. */
function listAfter({ kind, own, isNew }: Write, list: List, key: string, isOfAll: boolean): List | undefined {
  const { size, orderBy, ...filters } = argumentsIn(key);
  const given = Object.keys(filters).filter((name) => filters[name] !== null);
  if (!isNew || given.some((name) => /^(last|offset|page|text)$/.test(name))) return undefined;
  if (kind === 'deletion') return withoutRows(list, own, hasFirmCursors.test(list.__typename + key) ? size : Infinity);
  if (!isOfAll || given.length > 0) return undefined;
  const orders = [orderBy ?? []].flat();
  if (kind === 'change') return !list.edges || (isFirm(orders) && !orders[1]) ? list : undefined;
  return isFirm(orders) && orders[0]?.direction === 'DESC' ? withNewest(list, own, size) : undefined;
}

/** Whether no change moves a record in this order. */
const isFirm = ([order]: readonly Order[]) => /^(CREATED_AT|ID)$/.test(String(order?.field));

/** The arguments of a list, and the size of its pages. Where its key is of another policy than `pages`, it has to be read again. */
function argumentsIn(key: string): Arguments & { readonly size: number } {
  const [, json = '{}'] = /^\w+(?::({.*}))?$/.exec(key) ?? ['', '{"last":1}'];
  const { first, ...others }: Arguments = JSON.parse(json);
  return { ...others, size: first ?? 20 };
}

/** @param least where another row might come up, with at least so many rows it is not shown yet */
function withoutRows(list: List, own: Write['own'], least: number): List | undefined {
  const { edges, pageInfo } = list;
  if (!edges) return undefined;
  const kept = edges.filter((edge) => !own.has(edge?.node?.__ref));
  const isWhole = pageInfo?.hasNextPage === false;
  if (kept.length === edges.length) return isWhole ? list : undefined;
  return isWhole || kept.length >= least ? withRows(list, kept, kept.length - edges.length) : undefined;
}

function withNewest(list: List, [__ref = '']: Iterable<string | undefined>, size: number): List | undefined {
  const { __typename, edges, totalCount } = list;
  if (!edges || (edges.length === 0 && totalCount !== 0)) return undefined; // a counter
  if (edges.some((edge) => edge?.node?.__ref === __ref)) return list;
  const edge = { __typename: __typename.replace(/Connection$/, 'Edge'), cursor: '', node: { __ref } };
  return withRows(list, [edge, ...edges].slice(0, Math.max(size, edges.length)), 1);
}

/** The list with these rows, and `more` records than before. */
function withRows(
  { __typename, totalCount, edges: before = [], pageInfo }: List,
  edges: readonly Edge[],
  more: number,
): List | undefined {
  const [start, end] = [edges[0]?.cursor, edges.at(-1)?.cursor];
  const isMoved = edges.at(-1) !== before.at(-1);
  if (isMoved && pageInfo?.endCursor && !end) return undefined; // nobody knows it
  const isCut = edges.length < before.length + more;
  const ends = { startCursor: start, ...(isMoved && { endCursor: end }), ...(isCut && { hasNextPage: true }) };
  return {
    __typename,
    edges,
    ...(totalCount !== undefined && { totalCount: totalCount + more }),
    ...(pageInfo && { pageInfo: { ...pageInfo, ...ends } }),
  };
}

/** The arguments of a list. */
interface Arguments {
  readonly first?: number | null;
  readonly orderBy?: Order | readonly Order[] | null;
  readonly [name: string]: unknown;
}

interface Order {
  readonly field?: string;
  readonly direction?: string;
}

/** Those of other lists tell the place of a row, which a deletion before it moves. */
const hasFirmCursors = /^(Client|Deal|Post|FlexRecord)Connection(clients|comments|deals|posts|records)\b/;

/** The type in a global id. */
const typeOf = (id: string) => id.slice(0, id.indexOf(':'));

/** What follows the last colon of a key: the same for all types of a record. */
const endOf = (key: unknown) => String(key).replace(/.*:/, '');

/** One name for all types of a record. One of a flexible database has several, and none of these. */
const kinOf = (type: string) => /^(Client|Deal|Post)$/.exec(type.replace(/^Forum/, ''))?.[0];

/** An object without an id of its own: a value of JSON is none. */
function isPart(value: unknown): value is List {
  return typeof value === 'object' && value !== null && '__typename' in value;
}

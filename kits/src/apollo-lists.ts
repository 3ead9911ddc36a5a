import { type ApolloCache, isReference } from '@apollo/client';
import { type Failure, failuresOf, isOpen, isRefusal } from './outcome.ts';

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
  readonly own: ReadonlySet<string>;
  /** Whether nothing of it can have been counted before. */
  readonly isNew: boolean;
  /** Whether it is an optimistic one. What that would have read again, Apollo Client would not read once the answer is there. */
  readonly isGuess: boolean;
}

/** Each list changes by its own arguments. What only the gateway knows is taken out, and so read again. */
function updating(kind: Write['kind'], field: string): Update {
  const update = (cache: ApolloCache, answer: Answer): void => {
    const writes = isUncertain(answer) ? undefined : writesIn(cache, answer, kind, field);
    if (!writes) return forget(cache);
    const isGuess = !answer.extensions && linked.has(cache);
    writes.forEach((write) => change(cache, { ...write, isGuess }));
  };
  return (cache, answer) => cache.batch({ update: () => update(cache, answer) });
}

/** The writes of a kind, those of each type as one. Undefined where one does not tell its record. */
function writesIn(
  cache: ApolloCache,
  { data, extensions }: Answer,
  kind: Write['kind'],
  field: string,
): Map<string, Omit<Write, 'isGuess'>> | undefined {
  const reports: Readonly<Record<string, unknown>> = Object(extensions?.['idempotency']);
  const entities: object = Object(cache.extract());
  const writes = new Map<string, Omit<Write, 'isGuess'>>();
  for (const [name, row] of rowsOf(data)) {
    const __typename = String(row.__typename);
    const ids = idsOf(row, kind);
    if (!ids) continue;
    if (ids.length === 0 && kind !== 'change') return undefined;
    const keys = ids.flatMap((id) => cache.identify({ __typename: typeOf(id), id }) ?? []);
    const isKnown = kind !== 'deletion' || keys.some((key) => key in entities);
    const { types = [], own = [], isNew = true } = writes.get(__typename) ?? {};
    writes.set(__typename, {
      kind,
      field,
      types: [...types, ...(kind === 'deletion' ? ids.map(typeOf) : [__typename])],
      own: new Set([...own, ...keys]),
      isNew: isNew && isKnown && (reports[name] ?? 'FIRST') === 'FIRST',
    });
  }
  return writes;
}

/** The ids that a write tells. Undefined where it was refused, or is of another kind, in a document of several. */
function idsOf(row: Row, kind: Write['kind']): readonly string[] | undefined {
  const { __typename, id, deletedIds } = row;
  const isOther = kind === 'deletion' ? !deletedIds && id && typeOf(id) === __typename : deletedIds;
  return isOther || isRefusal(row) ? undefined : (deletedIds ?? (id ? [id] : []));
}

/** The results of an answer by their paths, and each of a bulk mutation. */
const rowsOf = (data: unknown): (readonly [string, Row])[] =>
  Object.entries<unknown>(Object(data))
    .flatMap(([name, result]): [string, unknown][] =>
      Array.isArray(result) ? result.map((row, at) => [`${name}.${at}`, row]) : [[name, result]],
    )
    .flatMap(([name, row]) => (typeof row === 'object' && row ? [[name, row]] : []));

/** The caches behind the link of the kit: all answers but optimistic ones have `extensions` there. */
export const linked: WeakSet<ApolloCache> = new WeakSet();

/** Whether nobody knows what became of a write, or what its record is now. */
export function isUncertain({ data, errors }: Answer): boolean {
  return (
    Object.values(data ?? [null])
      .flat()
      .includes(null) && !failuresOf(errors).every(isRefused)
  );
}

const isRefused = (failure: Failure) => failure.extensions?.['outcome'] === 'REFUSED' && !isOpen(failure);

/** Takes all out that the cache has, so that it is read again. */
function forget(cache: ApolloCache): void {
  cache.batch({ update: () => Object.keys(Object(cache.extract())).forEach((id) => cache.evict({ id })) });
}

function change(cache: ApolloCache, { types, own, ...write }: Write): void {
  const kinds = new Set(types.map(kinOf));
  const ends = new Set([...own].map(endOf));
  for (const [id, fields] of Object.entries<object>(Object(cache.extract()))) {
    // Another type of a record is read again. If it were evicted, arrays would leave it out.
    const isTwin = !write.isGuess && !own.has(id) && ends.has(endOf(id)) && kinds.has(kinOf(typeOf(id)));
    const changed = new Map<string, unknown>();
    for (const [key, value] of Object.entries<unknown>(Object(fields))) {
      const isRead = isTwin && key !== '__typename';
      const now = isRead ? undefined : fieldAfter({ types, own, ...write }, value, key, id === 'ROOT_QUERY');
      if (now !== value) changed.set(key, now);
    }
    if (changed.size === 0) continue; // it takes long to modify all
    cache.modify<Record<string, unknown>>({
      id,
      fields: (value, { storeFieldName, DELETE }) => {
        const now = changed.has(storeFieldName) ? changed.get(storeFieldName) : value;
        return now === undefined ? DELETE : now;
      },
    });
  }
  if (write.kind === 'deletion' && !write.isGuess) own.forEach((id) => cache.evict({ id }));
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
  return partAfter(write, value);
}

/** The same object where nothing in it changes. */
function partAfter(write: Write, part: object): object {
  const old: [string, unknown][] = Object.entries(part);
  const now = old.map(([key, value]): [string, unknown] => [key, fieldAfter(write, value, key, false)]);
  const isSame = now.every(([, value], at) => value === old[at]?.[1]);
  return isSame ? part : Object.fromEntries(now.filter(([, value]) => value !== undefined));
}

/** Whether lists of a type cannot have the records of the write. */
const isElsewhere = ({ types }: Write, type: string) =>
  type !== 'Search' && !types.some((other) => kinOf(other) === kinOf(type));

/** A record by arguments, such as those of `client`, is null once it is gone. What is linked to it is read again. */
function without(own: Write['own'], value: unknown, key: string, name: string): unknown {
  const isGone = (value: unknown) => isReference(value) && own.has(value.__ref);
  if (!Array.isArray(value)) return isGone(value) && key !== name ? null : value;
  if (!value.some(isGone)) return value;
  return name === 'nodes' ? value.map((each) => (isGone(each) ? null : each)) : value.filter((each) => !isGone(each));
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
  return isFirm(orders) && orders[0]?.direction === 'DESC'
    ? [...own].reduce<List | undefined>((list, key) => list && withNewest(list, key, size), list)
    : undefined;
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
  if (!edges?.every(isLinked)) return undefined;
  const kept = edges.filter((edge) => !own.has(edge?.node?.__ref ?? ''));
  const isWhole = pageInfo?.hasNextPage === false;
  if (kept.length === edges.length) return isWhole ? list : undefined;
  return isWhole || kept.length >= least ? withRows(list, kept, kept.length - edges.length) : undefined;
}

/** Whether a row tells its record. One that is read without its id does not. */
const isLinked = (edge: Edge) => edge?.node === null || edge?.node?.__ref !== undefined;

function withNewest(list: List, __ref: string, size: number): List | undefined {
  const { __typename, edges, totalCount, pageInfo } = list;
  if (!edges?.every(isLinked) || (edges.length === 0 && totalCount !== 0)) return undefined; // a counter
  if (edges.some((edge) => edge?.node?.__ref === __ref)) return list;
  const edge = { __typename: __typename.replace(/Connection$/, 'Edge'), cursor: '', node: { __ref } };
  return withRows(list, [edge, ...edges].slice(0, Math.max(pageInfo?.hasNextPage ? 0 : size, edges.length)), 1);
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

import {
  createRequest,
  type DocumentInput,
  type Exchange,
  gql,
  makeOperation,
  makeResult,
  type OperationResult,
  stringifyVariables,
} from '@urql/core';
import {
  type Cache,
  cacheExchange,
  type CacheExchangeOpts,
  type FieldInfo,
  type Resolver,
  type UpdateResolver,
} from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { fromArray, mergeMap, share } from 'wonka';
import { type Failure, failuresOf, isOpen, isRefusal } from './outcome.ts';

type Schema = NonNullable<CacheExchangeOpts['schema']>;

/** A type in an introspection. A type that must not be null is in another's `ofType`. */
interface Type {
  readonly kind: string;
  readonly name?: string | null;
  readonly ofType?: Type | null;
  readonly fields?: readonly { readonly name: string; readonly type: Type }[] | null;
  readonly interfaces?: readonly Type[] | null;
  readonly possibleTypes?: readonly Type[] | null;
}

/**
 * Graphcache with what it has to know: the schema, the fields whose pages are one list, and the types without an id, whose values
 * it keeps in the record that they are read with. After a write that may have been made, it reads all again. What the app sets is added.
 *
 * @param schema what `@graphql-codegen/urql-introspection` makes of `schema.graphql`, or a whole introspection
 * @param settings behind a router, `possibleTypes` has the members that other subgraphs add to interfaces and unions of this schema:
 *   `{ Node: ['Invoice'] }`
 */
export function createCache(schema: Schema, { possibleTypes = {}, ...settings }: CacheExchangeOpts = {}): Exchange {
  const { queryType, mutationType = null, types: given = [] } = schema.__schema;
  const types = withMembers(given, Object.entries(possibleTypes));
  const { keys, resolvers } = settingsFor(types, settings.resolvers);
  const { globalIDs, updates } = settings;
  const mutation = mutationType?.name ?? 'Mutation';
  // Graphcache warns of updaters without a field that it finds.
  const ofMutations = Object.defineProperty({ ...updates?.[mutation] }, FORGET, { value: forget });
  return followWrites(
    cacheExchange({
      ...settings,
      schema: { __schema: { queryType, mutationType, subscriptionType: null, types } },
      keys: { ...keys, ...settings.keys },
      globalIDs: globalIDs === true || [...Object.keys(keys), ...(globalIDs || [])],
      resolvers,
      updates: { ...updates, [mutation]: ofMutations },
    }),
  );
}

function settingsFor(types: readonly Type[], own: CacheExchangeOpts['resolvers']) {
  const connections = new Set(types.filter((type) => has('pageInfo', type)).map(({ name }) => name));
  const keys: NonNullable<CacheExchangeOpts['keys']> = {};
  const resolvers: NonNullable<CacheExchangeOpts['resolvers']> = { ...own };
  for (const type of types) {
    const { kind, name, fields } = type;
    if (kind !== 'OBJECT' || !name) continue;
    if (!has('id', type)) keys[name] = ({ __key }) => (__key ? String(__key) : null);
    const lists = fields?.filter(({ type }) => connections.has((type.ofType ?? type).name)) ?? [];
    const pages = Object.fromEntries(lists.map(({ name }) => [name, joinPages]));
    if (lists.length > 0) resolvers[name] = { ...pages, ...own?.[name] };
  }
  return { keys, resolvers };
}

const has = (field: string, { fields }: Type) => fields?.some(({ name }) => name === field);

/** Graphcache knows members by the schema alone. One that the schema lacks has the fields of its interfaces. */
function withMembers(types: readonly Type[], additions: readonly (readonly [string, readonly string[]])[]): Type[] {
  const byName = new Map(types.map((type) => [type.name ?? '', type]));
  for (const [name, members] of additions) {
    const owner: Type = byName.get(name) ?? { kind: 'INTERFACE', name };
    for (const member of members) {
      const { interfaces, fields, ...type }: Type = byName.get(member) ?? { kind: 'OBJECT', name: member };
      const all = [...(owner.fields ?? []), ...(fields ?? [])];
      byName.set(member, { ...type, interfaces: [...(interfaces ?? []), owner], fields: all });
    }
    const possibleTypes = [
      ...(owner.possibleTypes ?? []),
      ...members.map((member) => ({ kind: 'OBJECT', name: member })),
    ];
    byName.set(name, { ...owner, fields: owner.fields ?? [], possibleTypes });
  }
  return [...byName.values()];
}

type Args = Readonly<Record<string, unknown>>;

/** What tells the lists of a field apart. */
const listOf = (args: Args | null) => stringifyVariables({ ...args, after: undefined, before: undefined });

const join = relayPagination();

/** Joins pages by all arguments but the cursor: `first`, too. Behind a page that was read anew, the next one may not follow any more. */
const joinPages: Resolver = (parent, args, cache, info) => {
  const inspectFields = (key: string) => {
    const pages = cache
      .inspectFields(key)
      .filter((page) => page.fieldName === info.fieldName && listOf(page.arguments) === listOf(args))
      .map((page) => ({ ...page, arguments: page.arguments ?? {}, key: String(cache.resolve(key, page.fieldKey)) }));
    const joined = pages.filter((page) => !page.arguments['after']);
    for (const page of joined) {
      const end = cache.resolve(infoOf(cache, page), 'endCursor');
      if (end === undefined) return pages;
      joined.push(...pages.filter((next) => end && next.arguments['after'] === end && !joined.includes(next)));
    }
    return joined.length > 0 ? joined : pages;
  };
  return join(parent, args, Object.assign(Object.create(cache), { inspectFields }), info);
};

const FORGET = '__forget';
const context = { url: '', requestPolicy: 'network-only' } as const;
const forgetting = makeOperation('mutation', createRequest(gql(`mutation { ${FORGET} }`), {}), context);
/** The answer to a mutation that no server has, at which graphcache forgets all. */
const forgotten = makeResult(forgetting, { data: { [FORGET]: true } });

/** The data of answers to writes that an earlier attempt has made. */
const repeated = new WeakSet<object>();

/** Has a cache forget all after a write that may have been made, or whose record could not be read. */
const followWrites =
  (exchange: Exchange): Exchange =>
  (input) => {
    const follow = mergeMap((result: OperationResult) => {
      const { operation, data, error, extensions } = result;
      if (data && /"RE(PLAY|CONCIL)ED"/.test(JSON.stringify(extensions?.['idempotency']))) repeated.add(data);
      const isMade = operation.kind === 'mutation' && error && mayBeMade(failuresOf(error));
      return fromArray(isMade ? [forgotten, result] : [result]);
    });
    return exchange({ ...input, forward: (operations) => share(follow(input.forward(operations))) });
  };

const mayBeMade = (failures: readonly Failure[]) =>
  failures.length === 0 || failures.some((one) => isOpen(one) || one.extensions?.['outcome'] !== 'REFUSED');

/** Visits all that the query links to, in depth. */
function walk(
  cache: Cache,
  visit: (parent: string, field: FieldInfo, link: unknown) => void,
  parent = 'Query',
  seen: Set<unknown> = new Set(),
): void {
  seen.add(parent);
  for (const field of cache.inspectFields(parent)) {
    const link = cache.resolve(parent, field.fieldKey);
    for (const key of [link].flat()) if (typeof key === 'string' && !seen.has(key)) walk(cache, visit, key, seen);
    visit(parent, field, link);
  }
}

const forget = (_data: unknown, _args: unknown, cache: Cache) =>
  walk(cache, (parent, { fieldKey }) => cache.invalidate(parent, fieldKey));

/** A list that an updater changes in place. */
interface List {
  /** Name of its field of the query. */
  readonly field: string;
  /** Not read any more. */
  readonly query?: DocumentInput;
}

/** The result of a mutation that was made. */
interface Row {
  readonly __typename: string;
  readonly id?: string;
  readonly deletedIds?: readonly string[];
}

type Update = UpdateResolver<Readonly<Record<string, Row | readonly (Row | null)[] | null>>>;

/** A list in the cache. */
interface Found {
  /** Of its connection. */
  readonly type: string;
  readonly parent: string;
  readonly field: string;
  readonly args: Args;
  readonly pages: Page[];
}

/** A page that was read. */
interface Page {
  readonly fieldKey: string;
  /** The key of its connection. */
  readonly key: string;
  readonly after: unknown;
}

/** Changes a list in place, if that can be done. Returns whether it is known what the list shows now. */
type Change = (cache: Cache, list: Found, key: string, type: string) => boolean;

/** An updater for a creation, which selects what the list shows: where the newest come first, the new record does. */
export const addToList = ({ field }: List): Update =>
  updater(
    (cache, list, key, type) =>
      list.field === field && isSteady(list) && orderOf(list).includes('"DESC"') && putFirst(cache, list, key, type),
    true,
  );

/** An updater for a deletion, which selects `deletedIds`: what is gone is in no list. */
export const removeFromList = (_list: List): Update => updater(takeOut);

/** An updater for a change: a record may pass another filter than before, or have another place. */
export const filterAgain = (_list: List): Update => updater((_cache, list) => isSteady(list));

const orderOf = ({ args: { orderBy } }: Found) => JSON.stringify([orderBy].flat()[0]) ?? '';

/** Whether no change of a record changes which rows a list has, and their order. */
const isSteady = (list: Found) =>
  list.parent === 'Query' && !hasFilter(list) && (/"(CREATED_AT|ID)"/.test(orderOf(list)) || list.args['first'] === 0);

const hasFilter = ({ args }: Found) =>
  Object.keys(args).some((name) => !/^(first|last|after|before|orderBy)$/.test(name));

function updater(change: Change, isNew = false): Update {
  return (result, _args, cache, { fieldName, optimistic }) => {
    const rows = [result[fieldName]].flat().flatMap(recordsOf);
    const records = new Map(rows.flatMap((row) => (row.id ? [[cache.keyOfEntity({ ...row }) ?? '', row]] : [])));
    if (records.size === 0) return;
    // What an optimistic answer takes out of its layer, `forget` would not see, and it would be back with the end of the layer.
    const forgetField = (parent: string, field: string) => optimistic || cache.invalidate(parent, field);
    const isOld = (link: unknown) => (isNew ? link === null : records.get(String(link))?.isGone === true);
    const lists = listsOf(cache, isOld, forgetField);
    for (const [key, { __typename, isGone }] of records) {
      const isKnown = !repeated.has(result) && (!isGone || cache.resolve(key, '__typename') !== undefined);
      for (const list of lists) {
        if (list.type !== `${__typename}Connection` && list.type !== 'SearchConnection') continue;
        const isShown = isKnown && change(cache, list, key, __typename);
        if (!isShown) list.pages.forEach(({ fieldKey }) => forgetField(list.parent, fieldKey));
      }
      if (isGone && !optimistic) cache.invalidate(key);
    }
  };
}

/** The records of a write that was not refused. */
function recordsOf(write: Row | null | undefined): (Row & { isGone?: boolean })[] {
  if (!write || isRefusal({ ...write })) return [];
  return write.deletedIds?.map((id) => ({ __typename: id.slice(0, id.indexOf(':')), id, isGone: true })) ?? [write];
}

/**
 * All lists of the cache, found once for all records of a write.
 *
 * @param isOld whether no field of the query links to this any more: a deleted record, or null, which a new record may be
 */
function listsOf(
  cache: Cache,
  isOld: (link: unknown) => boolean,
  forgetField: (parent: string, field: string) => void,
): readonly Found[] {
  const found = new Map<string, Found>();
  walk(cache, (parent, { fieldKey, fieldName: field, arguments: args }, link) => {
    const type = typeof link === 'string' && String(cache.resolve(link, '__typename'));
    if (type && type.endsWith('Connection')) {
      const name = `${parent}.${field}${listOf(args)}`;
      const list = found.get(name) ?? { type, parent, field, args: args ?? {}, pages: [] };
      found.set(name, list);
      list.pages.push({ fieldKey, key: String(link), after: args?.['after'] });
    } else if (/^Query(\.\w+)*$/.test(parent) && [link].flat().some(isOld)) {
      // The open page of a deleted record would be read again.
      if (typeof link === 'string') cache.link(parent, fieldKey, null);
      else forgetField(parent, fieldKey);
    }
  });
  return [...found.values()];
}

/** Puts a record before the others. A row falls off the end of a full list. */
function putFirst(cache: Cache, list: Found, key: string, type: string): boolean {
  const { pages, args } = list;
  const first = Number(args['first']);
  const rows = rowsOf(cache, list);
  const head = pages.find(({ after }) => !after);
  const [tail, other] = tailsOf(cache, list);
  if (!rows || !head || !tail || other || !(first > 0)) return false;
  if (rows.some(({ node }) => node === key)) return true; // counted before
  const edge = `${head.key}.${key}`;
  write(cache, edge, `${type}Edge`, { cursor: '' });
  cache.link(edge, 'node', key);
  cache.link(head.key, 'edges', [edge, ...edgesOf(cache, head)]);
  if (rows.length >= first) {
    const edges = edgesOf(cache, tail).slice(0, -1);
    const endCursor = cache.resolve(edges.at(-1), 'cursor');
    const info = infoOf(cache, tail);
    if (!endCursor && cache.resolve(info, '__typename')) return false;
    if (endCursor) write(cache, info, 'PageInfo', { hasNextPage: true, endCursor });
    cache.link(tail.key, 'edges', edges);
  }
  return count(cache, list, 1);
}

/** Takes a record out of a list. */
function takeOut(cache: Cache, list: Found, key: string): boolean {
  const { pages, args, field } = list;
  const rows = rowsOf(cache, list);
  const [tail, other] = tailsOf(cache, list);
  if (!rows || !tail || other || field === 'search') return false;
  const goesOn = cache.resolve(infoOf(cache, tail), 'hasNextPage') !== false;
  const page = rows.find(({ node }) => node === key)?.page;
  if (!page) return !goesOn && !hasFilter(list);
  const old = edgesOf(cache, page);
  const edges = old.filter((edge) => cache.resolve(edge, 'node') !== key);
  cache.link(page.key, 'edges', edges);
  const isOpen = goesOn && !(rows.length > Number(args['first']));
  return !isOpen && (pages.length === 1 || edges.at(-1) === old.at(-1)) && count(cache, list, -1);
}

const infoOf = (cache: Cache, { key }: Pick<Page, 'key'>) => String(cache.resolve(key, 'pageInfo'));

function edgesOf(cache: Cache, { key }: Page): (string | null)[] {
  const edges = cache.resolve(key, 'edges');
  return Array.isArray(edges) ? edges.map((edge) => (typeof edge === 'string' ? edge : null)) : [];
}

/** The rows of a list. Undefined where they are not known by its edges and the ids of their records, or counted from its end. */
function rowsOf(cache: Cache, { pages, args }: Found) {
  if (args['last'] || pages.some(({ key }) => !cache.resolve(key, 'edges') || cache.resolve(key, 'nodes')))
    return undefined;
  const rows = pages.flatMap((page) =>
    edgesOf(cache, page).map((edge) => ({ page, edge, node: cache.resolve(edge, 'node') })),
  );
  return rows.some(({ edge, node }) => node === undefined || node === `${edge}.node`) ? undefined : rows;
}

/** The pages behind which none was read: more than one where some are not joined. */
const tailsOf = (cache: Cache, { pages }: Found) =>
  pages.filter((page) => {
    const end = cache.resolve(infoOf(cache, page), 'endCursor');
    return !pages.some(({ after }) => after && after === end);
  });

function count(cache: Cache, { pages }: Found, more: number): true {
  for (const { key } of pages) {
    const total = cache.resolve(key, 'totalCount');
    const type = String(cache.resolve(key, '__typename'));
    if (total !== undefined) write(cache, key, type, { totalCount: Number(total) + more });
  }
  return true;
}

/** Writes fields of a value without an id. */
function write(cache: Cache, __key: string, __typename: string, fields: Args): void {
  const fragment = gql(`fragment _ on ${__typename} { ${Object.keys(fields).join(' ')} }`);
  cache.writeFragment(fragment, { __typename, __key, ...fields });
}

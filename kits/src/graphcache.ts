import type { DocumentInput, Exchange } from '@urql/core';
import { type Cache, cacheExchange, type CacheExchangeOpts, type UpdateResolver } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { writtenRecord } from './outcome.ts';

type Schema = NonNullable<CacheExchangeOpts['schema']>;

/** A type in an introspection. A type that must not be null is in another's `ofType`. */
interface Type {
  readonly kind: string;
  readonly name?: string;
  readonly ofType?: Type;
  readonly fields?: readonly { readonly name: string; readonly type: Type }[];
  readonly interfaces?: readonly Type[];
  readonly possibleTypes?: readonly Type[];
}

/**
 * Graphcache with what it has to know: the schema, the fields whose pages are one list, and the types without an id, whose values
 * it keeps in the record that they are read with. What the app sets is added.
 *
 * @param schema what `@graphql-codegen/urql-introspection` makes of `schema.graphql`
 * @param settings behind a router, `possibleTypes` has the members that other subgraphs add to interfaces and unions of this schema:
 *   `{ Node: ['Invoice'] }`
 */
export function createCache(schema: Schema, { possibleTypes = {}, ...settings }: CacheExchangeOpts = {}): Exchange {
  const types = withMembers(schema.__schema.types ?? [], Object.entries(possibleTypes));
  const connections = new Set(types.filter((type) => has('pageInfo', type)).map(({ name }) => name));
  const keys: CacheExchangeOpts['keys'] = {};
  const resolvers: CacheExchangeOpts['resolvers'] = { ...settings.resolvers };
  for (const type of types) {
    const { kind, name = '', fields = [] } = type;
    if (kind !== 'OBJECT') continue;
    if (!has('id', type)) keys[name] = () => null;
    const lists = fields.filter(({ type }) => connections.has((type.ofType ?? type).name));
    const pages = Object.fromEntries(lists.map(({ name }) => [name, relayPagination()]));
    if (lists.length > 0) resolvers[name] = { ...pages, ...settings.resolvers?.[name] };
  }
  const { queryType, mutationType = null } = schema.__schema;
  const complete = { __schema: { queryType, mutationType, subscriptionType: null, types } };
  return cacheExchange({ ...settings, schema: complete, keys: { ...keys, ...settings.keys }, resolvers });
}

function has(field: string, { fields = [] }: Type): boolean {
  return fields.some(({ name }) => name === field);
}

/** Graphcache knows members by the schema alone. One that the schema lacks has the fields of its interfaces. */
function withMembers(types: readonly Type[], additions: readonly (readonly [string, readonly string[]])[]): Type[] {
  const byName = new Map(types.map((type) => [type.name ?? '', type]));
  for (const [name, members] of additions) {
    const owner: Type = byName.get(name) ?? { kind: 'INTERFACE', name };
    for (const member of members) {
      const { interfaces = [], fields = [], ...type }: Type = byName.get(member) ?? { kind: 'OBJECT', name: member };
      const all = [...(owner.fields ?? []), ...fields];
      byName.set(member, { ...type, interfaces: [...interfaces, owner], fields: all });
    }
    const possibleTypes = [
      ...(owner.possibleTypes ?? []),
      ...members.map((member) => ({ kind: 'OBJECT', name: member })),
    ];
    byName.set(name, { ...owner, fields: owner.fields ?? [], possibleTypes });
  }
  return [...byName.values()];
}

/** A list as the cache holds it: page by page. */
interface List {
  /** Name of its field of the query. */
  readonly field: string;
  /** Reads a page. Its variables are named as the arguments of the field. */
  readonly query: DocumentInput;
}

/** The result of a mutation that was made. */
interface Row {
  readonly __typename: string;
  readonly id?: string;
  readonly deletedIds?: readonly string[];
}

interface Page {
  readonly __typename: string;
  readonly totalCount: number;
  readonly edges: readonly ({ readonly node: Row | null } | null)[] | null;
}

type Update = UpdateResolver<Readonly<Record<string, Row | null>>>;

/** An updater for a creation, which selects what the list shows: the new record comes first. */
export const addToList = (list: List): Update =>
  lists(list, (page, node, isFirst) => {
    if (page.__typename !== `${node.__typename}Connection`) return page;
    if (page.edges?.some((edge) => edge?.node?.id === node.id)) return page; // a write that was sent twice with one key
    const edge = { __typename: `${node.__typename}Edge`, cursor: '', node };
    return { ...page, totalCount: page.totalCount + 1, edges: [...(isFirst ? [edge] : []), ...(page.edges ?? [])] };
  });

/** An updater for a deletion, which selects `deletedIds`. */
export const removeFromList = (list: List): Update =>
  lists(
    list,
    (page, { deletedIds = [] }) => {
      const rowType = page.__typename.slice(0, -'Connection'.length);
      const rows = deletedIds.filter((id) => id.startsWith(`${rowType}:`));
      const edges = page.edges?.filter((edge) => !deletedIds.includes(edge?.node?.id ?? '')) ?? null;
      return { ...page, totalCount: page.totalCount - rows.length, edges };
    },
    (cache, { deletedIds = [] }) => {
      for (const { fieldName: field, arguments: args } of cache.inspectFields('Query')) {
        // The open page of a deleted record would be read again.
        if (typeof args?.['id'] === 'string' && deletedIds.includes(args['id'])) cache.link('Query', field, args, null);
      }
    },
  );

/** An updater for a change: a record may pass another filter than before. */
export const filterAgain = (list: List): Update => lists(list, (page) => page);

/**
 * Changes the pages of a list after a write that was not refused. Those with a filter are read again, as the gateway knows what is
 * in them, and so are all where nothing is known of the record.
 */
function lists(
  { query, field }: List,
  change: (page: Page, row: Row, isFirst: boolean) => Page,
  after?: (cache: Cache, row: Row) => void,
): Update {
  return (result, _args, cache, { fieldName, error }) => {
    const row = writtenRecord({ data: { write: result[fieldName] }, error: [error] });
    if (row === undefined) return;
    for (const { fieldName: name, arguments: args } of cache.inspectFields('Query')) {
      if (name !== field) continue;
      const variables = args ?? {};
      if (!row || hasFilter(variables)) cache.invalidate('Query', field, variables);
      else {
        cache.updateQuery<Record<string, Page | null>>({ query, variables }, (data) => {
          const page = data?.[field];
          return page ? { ...data, [field]: change(page, row, !variables['after']) } : null;
        });
      }
    }
    if (row) after?.(cache, row);
  };
}

const OF_PAGES = ['first', 'after', 'last', 'before', 'orderBy'];

const hasFilter = (variables: Readonly<Record<string, unknown>>) =>
  Object.entries(variables).some(([name, value]) => !OF_PAGES.includes(name) && value !== null);

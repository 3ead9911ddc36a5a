import type { DocumentInput, Exchange } from '@urql/core';
import { type Cache, cacheExchange, type CacheExchangeOpts, type UpdateResolver } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';

type Schema = NonNullable<CacheExchangeOpts['schema']>;

/** A type in an introspection. A type that must not be null is in another's `ofType`. */
interface Type {
  readonly kind: string;
  readonly name?: string;
  readonly ofType?: Type;
  readonly fields?: readonly { readonly name: string; readonly type: Type }[];
}

/**
 * Graphcache with what it has to know: the schema, the fields whose pages are one list, and the types without an id, whose values
 * it keeps in the record that they are read with. What the app sets is added.
 *
 * @param schema what `@graphql-codegen/urql-introspection` makes of `schema.graphql`
 */
export function createCache(schema: Schema, settings: CacheExchangeOpts = {}): Exchange {
  const types: readonly Type[] = schema.__schema.types ?? [];
  const has = (field: string, { fields = [] }: Type) => fields.some(({ name }) => name === field);
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
  return cacheExchange({ ...settings, schema, keys: { ...keys, ...settings.keys }, resolvers });
}

/** A list as the cache holds it: page by page. */
interface List {
  /** Name of its field of the query. */
  readonly field: string;
  /** Reads a page. Its variables are named as the arguments of the field. */
  readonly query: DocumentInput;
}

interface Row {
  readonly __typename: string;
  readonly id?: string;
}

interface Page {
  readonly __typename: string;
  readonly totalCount: number;
  readonly edges: readonly ({ readonly node: Row | null } | null)[] | null;
}

/** An updater for a creation, which selects what the list shows: the new record comes first. A refusal is no row of a list. */
export const addToList =
  (list: List): UpdateResolver<Record<string, Row | null>> =>
  (result, _args, cache, { fieldName }) => {
    const node = result[fieldName];
    if (!node) return;
    const edge = { __typename: `${node.__typename}Edge`, cursor: '', node };
    changePages(cache, list, (page, isFirst) => {
      if (page.__typename !== `${node.__typename}Connection`) return page;
      if (page.edges?.some((edge) => edge?.node?.id === node.id)) return page; // a write that was sent twice with one key
      return { ...page, totalCount: page.totalCount + 1, edges: [...(isFirst ? [edge] : []), ...(page.edges ?? [])] };
    });
  };

/** An updater for a deletion, which selects `deletedIds`. */
export const removeFromList =
  (list: List): UpdateResolver<Record<string, { readonly deletedIds?: readonly string[] } | null>> =>
  (result, _args, cache, { fieldName }) => {
    const deleted = new Set(result[fieldName]?.deletedIds);
    if (deleted.size === 0) return;
    changePages(cache, list, (page) => {
      const rowType = page.__typename.slice(0, -'Connection'.length);
      const rows = [...deleted].filter((id) => id.startsWith(`${rowType}:`));
      const edges = page.edges?.filter((edge) => !deleted.has(edge?.node?.id ?? '')) ?? null;
      return { ...page, totalCount: page.totalCount - rows.length, edges };
    });
    for (const { fieldName: field, arguments: args } of cache.inspectFields('Query')) {
      // The open page of a deleted record would be read again.
      if (typeof args?.['id'] === 'string' && deleted.has(args['id'])) cache.link('Query', field, args, null);
    }
  };

/** An updater for a change: a record may pass another filter than before. */
export const filterAgain =
  (list: List): UpdateResolver<Record<string, Row | null>> =>
  (result, _args, cache, { fieldName }) => {
    if (result[fieldName]?.id !== undefined) changePages(cache, list, (page) => page);
  };

const OF_PAGES = ['first', 'after', 'last', 'before', 'orderBy'];

/** Lists with a filter are forgotten: the gateway knows what is in them. */
function changePages(cache: Cache, { query, field }: List, change: (page: Page, isFirst: boolean) => Page): void {
  for (const { fieldName, arguments: args } of cache.inspectFields('Query')) {
    if (fieldName !== field) continue;
    const variables = args ?? {};
    if (Object.keys(variables).some((name) => !OF_PAGES.includes(name) && variables[name] !== null)) {
      cache.invalidate('Query', field, variables);
      continue;
    }
    cache.updateQuery<Record<string, Page | null>>({ query, variables }, (data) => {
      const page = data?.[field];
      return page ? { ...data, [field]: change(page, !variables['after']) } : null;
    });
  }
}

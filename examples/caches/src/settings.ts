import type { FieldPolicy, InMemoryCacheConfig, TypePolicies } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import type { CacheExchangeOpts, ResolverConfig } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';

/** The interface on which the examples spread a fragment: without it a cache drops the fields of a refusal. */
export const possibleTypes = {
  MutationError: ['ConflictError', 'ForbiddenError', 'NotAttempted', 'NotFoundError', 'ValidationError'],
};

/** One list of all its pages of a size. One that could not be read is null, and not an empty one with a next page. */
function pages(keyArgs: string[]): FieldPolicy {
  const { merge, ...policy } = relayStylePagination([...keyArgs, 'first', 'last']);
  if (typeof merge !== 'function') return policy;
  return { ...policy, merge: (old, page, options) => (page ? merge(old, page, options) : (old ?? null)) };
}

const sorted = pages(['filter', 'orderBy']);

/** For Apollo Client: the arguments that tell the lists of a field apart are all but the cursors. */
export const apolloPages: TypePolicies = {
  Query: {
    fields: {
      clients: sorted,
      deals: sorted,
      posts: sorted,
      forumPosts: pages(['category', 'order', 'page']),
      search: pages(['text', 'in']),
    },
  },
  Client: { fields: { deals: sorted, posts: sorted } },
  Post: { fields: { comments: sorted } },
  FlexDb: {
    fields: {
      records: pages(['table', 'untabled']),
      search: pages(['query', 'in', 'filter', 'sort', 'table', 'allowUndefinedFields', 'offset']),
    },
  },
  PublicFlexDb: {
    fields: { list: pages(['offset']), search: pages(['query', 'sort', 'table', 'offset']) },
  },
};

/** Types without an id, of which a record has one: queries may select different fields of it. */
const parts: TypePolicies = {
  ClientAddress: { merge: true },
  ClientAvatar: { merge: true },
  ClientBank: { merge: true },
  ClientCustomFields: { merge: true },
  ClientPayments: { merge: true },
  Credentials: { merge: true },
  DashboardWidget: { merge: true },
  ForumUser: { merge: true },
  PostHelp: { merge: true },
  PostMail: { merge: true },
  PostRequest: { merge: true },
  PostSpam: { merge: true },
  TileConfig: { merge: true },
};

export const apolloSettings: InMemoryCacheConfig = { possibleTypes, typePolicies: parts };

const embedded = () => null;

/** The types without an id: a record keeps them inside. */
const keys = {
  ClientAddress: embedded,
  ClientAvatar: embedded,
  ClientBank: embedded,
  ClientCustomFieldEntry: embedded,
  ClientCustomFields: embedded,
  ClientPayments: embedded,
  Credentials: embedded,
  DashboardTile: embedded,
  DashboardWidget: embedded,
  ExternalId: embedded,
  FlexAutoField: embedded,
  FlexField: embedded,
  FlexPublicMethod: embedded,
  FlexTable: embedded,
  ForumUser: embedded,
  PostHelp: embedded,
  PostMail: embedded,
  PostRequest: embedded,
  PostSpam: embedded,
  SearchFailure: embedded,
  TileConfig: embedded,
  WidgetSetting: embedded,
};

const page = relayPagination();

/** For graphcache: the fields with pages. */
export const graphcachePages: ResolverConfig = {
  Query: { clients: page, deals: page, posts: page, forumPosts: page, search: page },
  Client: { deals: page, posts: page },
  Post: { comments: page },
  FlexDb: { records: page, search: page },
  PublicFlexDb: { list: page, search: page },
};

export const graphcacheSettings: Partial<CacheExchangeOpts> = {
  possibleTypes,
  keys,
  updates: {
    Mutation: {
      // Without an updater, graphcache forgets all posts for a new one: the parent in the answer, too.
      addPostComment: () => undefined,
    },
  },
};

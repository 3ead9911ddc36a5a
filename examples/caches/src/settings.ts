import type { InMemoryCacheConfig } from '@apollo/client';
import type { CacheExchangeOpts } from '@urql/exchange-graphcache';

/** The interface on which the examples spread a fragment: without it a cache drops the fields of a refusal. */
export const possibleTypes = {
  MutationError: ['ConflictError', 'ForbiddenError', 'NotAttempted', 'NotFoundError', 'ValidationError'],
};

export const apolloSettings: InMemoryCacheConfig = { possibleTypes };

export const graphcacheSettings: Partial<CacheExchangeOpts> = {
  possibleTypes,
  updates: {
    Mutation: {
      // Without an updater, graphcache forgets all posts for a new one: the parent in the answer, too.
      addPostComment: () => undefined,
    },
  },
};

import { type FieldPolicy, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import types from './generated/possible-types.ts';

/** One list of all its pages. One that could not be read is null, and not an empty one with a next page. */
function pages(keyArgs: string[]): FieldPolicy {
  const { merge, ...policy } = relayStylePagination(keyArgs);
  if (typeof merge !== 'function') return policy;
  return { ...policy, merge: (old, page, options) => (page ? merge(old, page, options) : (old ?? null)) };
}

export const createCache = () =>
  new InMemoryCache({
    possibleTypes: types.possibleTypes, // for fragments on unions and interfaces
    typePolicies: {
      Query: { fields: { clients: pages(['filter', 'orderBy']) } },
      ClientAddress: { merge: true }, // no id: belongs to its client, and queries may select different fields of it
    },
  });

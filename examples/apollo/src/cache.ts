import { InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import types from './generated/possible-types.ts';

export const createCache = () =>
  new InMemoryCache({
    possibleTypes: types.possibleTypes, // for fragments on unions and interfaces
    typePolicies: {
      Query: { fields: { clients: relayStylePagination(['filter', 'orderBy']) } }, // one list of all its pages
      ClientAddress: { merge: true }, // no id: belongs to its client, and queries may select different fields of it
    },
  });

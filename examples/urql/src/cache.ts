import { addToList, createCache, filterAgain, removeFromList } from 'trivium-kits/graphcache';
import { ClientsDocument } from './documents';
import schema from './generated/introspection';

/** The list of clients, which shows the newest first. */
const clients = { field: 'clients', query: ClientsDocument };

/** A normalizing cache that knows the schema, and the list after each write. */
export const newCache = () =>
  createCache(schema, {
    updates: {
      Mutation: {
        createClient: addToList(clients),
        updateClient: filterAgain(clients),
        deleteClient: removeFromList(clients),
      },
    },
  });

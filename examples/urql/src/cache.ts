import { addToList, createCache, filterAgain, removeFromList } from 'trivium-kits/graphcache';
import { ClientsDocument } from './documents';
import schema from './generated/introspection';

/** The list of clients, which shows the newest first. */
const list = { field: 'clients', query: ClientsDocument };
const Mutation = { createClient: addToList(list), updateClient: filterAgain(list), deleteClient: removeFromList(list) };

/** A normalizing cache that knows the schema, and the list after each write. */
export const newCache = () => createCache(schema, { updates: { Mutation } });

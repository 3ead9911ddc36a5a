import type { ApolloCache, ApolloClient } from '@apollo/client';
import type { Outcome } from 'trivium-kits/outcome';
import { clientPageDocument, clientsDocument } from './documents.ts';
import type { CreateClientMutation, DeleteClientMutation } from './generated/graphql.ts';

/** What a mutation has answered. */
interface Answer<Data> {
  readonly data?: Data | null | undefined;
}

/** The list of all clients. A list with a filter is another one. */
const allClients = { query: clientsDocument, variables: { filter: null } };

/** After `createClient`: the new client comes first, because the list is ordered by the time of creation. */
export function addToList(cache: ApolloCache, { data }: Answer<CreateClientMutation>) {
  const client = data?.createClient;
  if (client?.__typename !== 'Client') return;
  cache.updateQuery(allClients, (list) => {
    if (!list?.clients) return list;
    const { totalCount, edges } = list.clients;
    const edge = { __typename: 'ClientEdge' as const, cursor: '', node: client };
    return { clients: { ...list.clients, totalCount: totalCount + 1, edges: [edge, ...(edges ?? [])] } };
  });
}

/** After `deleteClient`. */
export function takeOut(cache: ApolloCache, { data }: Answer<DeleteClientMutation>) {
  const deletion = data?.deleteClient;
  if (deletion?.__typename !== 'DeletedNode') return;
  const id = deletion.deletedId;
  cache.updateQuery(allClients, (list) => {
    if (!list?.clients) return list;
    return { clients: { ...list.clients, totalCount: list.clients.totalCount - 1 } };
  });
  cache.writeQuery({ query: clientPageDocument, variables: { id }, data: { client: null } });
  const key = cache.identify({ __typename: 'Client', id });
  if (key) cache.evict({ id: key }); // every list leaves it out from now on
}

/**
 * Reads the list again where the cache cannot know its rows: it has a filter, or nothing is known of the record.
 *
 * @returns the outcome of the write, without waiting for the list
 */
export function readListAgain<Result extends Outcome<unknown>>(client: ApolloClient, write: Result): Result {
  const isKnown = write.outcome === 'APPLIED' && write.record !== null;
  const onQueryUpdated = ({ variables }: { variables: { filter?: unknown } }) => variables.filter !== null || !isKnown;
  if (write.outcome !== 'REFUSED') void client.refetchQueries({ include: [clientsDocument], onQueryUpdated });
  return write;
}

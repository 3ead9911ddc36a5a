import type { ApolloCache, ApolloClient } from '@apollo/client';
import { clientPageDocument, clientsDocument } from './documents.ts';
import type { CreateClientMutation, DeleteClientMutation } from './generated/graphql.ts';
import type { Outcome } from './outcomes.ts';

/** The list of all clients. A list with a filter is another one. */
const allClients = { query: clientsDocument, variables: { filter: null } };

/** After `createClient`: the new client comes first, because the list is ordered by the time of creation. */
export function addToList(cache: ApolloCache, { createClient: client }: CreateClientMutation) {
  if (client?.__typename !== 'Client') return;
  cache.updateQuery(allClients, (data) => {
    if (!data?.clients) return data;
    const { totalCount, edges } = data.clients;
    const edge = { __typename: 'ClientEdge' as const, cursor: '', node: client };
    return { clients: { ...data.clients, totalCount: totalCount + 1, edges: [edge, ...(edges ?? [])] } };
  });
}

/** After `deleteClient`. */
export function takeOut(cache: ApolloCache, { deleteClient: deletion }: DeleteClientMutation) {
  if (deletion?.__typename !== 'DeletedNode') return;
  const id = deletion.deletedId;
  cache.updateQuery(allClients, (data) => {
    if (!data?.clients) return data;
    return { clients: { ...data.clients, totalCount: data.clients.totalCount - 1 } };
  });
  cache.writeQuery({ query: clientPageDocument, variables: { id }, data: { client: null } });
  const key = cache.identify({ __typename: 'Client', id });
  if (key) cache.evict({ id: key }); // every list leaves it out from now on
}

/** Reads the list again where the cache cannot know its rows: it has a filter, or nothing is known of the record. */
export async function readListAgain(client: ApolloClient, result: Outcome<unknown>) {
  if (result.outcome === 'REFUSED') return;
  const known = result.outcome === 'APPLIED' && result.record !== null;
  const hasToRead = (filter: unknown) => filter !== null || !known;
  await client.refetchQueries({
    include: [clientsDocument],
    onQueryUpdated: ({ variables }) => hasToRead(variables.filter),
  });
}

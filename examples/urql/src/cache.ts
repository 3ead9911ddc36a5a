import { type Cache, cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { ClientPageDocument } from './documents';
import type {
  ClientPageQuery,
  ClientPageQueryVariables,
  CreateClientMutation,
  DeleteClientMutation,
  DeleteClientMutationVariables,
} from './generated/graphql';
import schema from './generated/introspection';

/** Types without an id: the cache keeps their values inside of the record that they are read with. */
const embedded = schema.__schema.types.filter(
  (type) => type.kind === 'OBJECT' && !type.fields.some(({ name }) => name === 'id'),
);

/** A normalizing cache that knows the schema. */
export const cache = () =>
  cacheExchange({
    schema,
    keys: Object.fromEntries(embedded.map(({ name }) => [name, () => null])),
    resolvers: {
      Query: {
        clients: relayPagination(),
        deals: relayPagination(),
        posts: relayPagination(),
        forumPosts: relayPagination(),
      },
      FlexDb: { records: relayPagination(), search: relayPagination() },
      PublicFlexDb: { list: relayPagination(), search: relayPagination() },
    },
    updates: { Mutation: { createClient: addToLists, deleteClient: removeFromLists } },
  });

/** The list shows the newest client first. */
function addToLists({ createClient: client }: CreateClientMutation, _args: unknown, cache: Cache) {
  if (client?.__typename !== 'Client') return; // refused
  const edge: Edge = { __typename: 'ClientEdge', node: client };
  changeLists(cache, ({ totalCount, edges, ...page }, { after }) => ({
    ...page,
    totalCount: totalCount + 1,
    edges: after ? edges : [edge, ...(edges ?? [])],
  }));
}

function removeFromLists(
  { deleteClient: result }: DeleteClientMutation,
  { id }: DeleteClientMutationVariables,
  cache: Cache,
) {
  if (result?.__typename !== 'DeletedNode') return; // refused
  changeLists(cache, ({ totalCount, edges, ...page }) => ({
    ...page,
    totalCount: totalCount - 1,
    edges: edges?.filter((edge) => edge?.node?.id !== result.deletedId) ?? null,
  }));
  cache.link('Query', 'client', { id }, null);
}

type Page = NonNullable<ClientPageQuery['clients']>;
type Edge = NonNullable<Page['edges']>[number] & { __typename: 'ClientEdge' };

/** Changes each page of the list of all clients. Lists with a filter are forgotten: the gateway knows what is in them. */
function changeLists(cache: Cache, change: (page: Page, variables: ClientPageQueryVariables) => Page) {
  for (const { fieldName, arguments: found } of cache.inspectFields('Query')) {
    if (fieldName !== 'clients') continue;
    const variables = found as ClientPageQueryVariables; // the documents name no other arguments
    if (variables.filter) cache.invalidate('Query', 'clients', found);
    else
      cache.updateQuery({ query: ClientPageDocument, variables }, (data) =>
        data?.clients ? { ...data, clients: change(data.clients, variables) } : null,
      );
  }
}

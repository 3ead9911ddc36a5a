import { type ClientFilter, ClientsDocument, type ClientsQuery } from '../generated/graphql.ts';
import type { Execute } from './client.ts';

type Clients = NonNullable<ClientsQuery['clients']>;
type ClientRow = NonNullable<NonNullable<Clients['nodes']>[number]>;

/** @yields every client that matches, read page by page, without those that were deleted meanwhile */
export async function* everyClient(execute: Execute, filter: ClientFilter, first = 100): AsyncGenerator<ClientRow> {
  let next: Clients['pageInfo'] = { hasNextPage: true, endCursor: null };
  while (next.hasNextPage) {
    const { data, errors } = await execute(ClientsDocument, { first, after: next.endCursor, filter });
    if (!data?.clients?.nodes) throw new Error(errors?.[0]?.message ?? 'The CRM did not answer its clients.');
    yield* data.clients.nodes.filter((client) => client !== null);
    next = data.clients.pageInfo;
  }
}

import type { ApolloClient } from '@apollo/client';
import { useMutation } from '@apollo/client/react';
import { addToList, filterAgain, removeFromList } from 'trivium-kits/apollo-lists';
import { type NotApplied, type Outcome, outcomeOf } from 'trivium-kits/outcome';
import { clientsDocument, createClientDocument, deleteClientDocument, updateClientDocument } from './documents.ts';
import type { ClientInput } from './generated/graphql.ts';

export function useCreateClient() {
  const [mutate, { client }] = useMutation(createClientDocument, { update: addToList('clients') });
  return async (input: ClientInput) => looked(client, outcomeOf(await mutate({ variables: { input } })));
}

/** The answer has the `id` and the changed fields, so the cache shows the change wherever the client is shown. */
export function useUpdateClient() {
  const [mutate, { client }] = useMutation(updateClientDocument, { update: filterAgain('clients') });
  return async (id: string, input: ClientInput) =>
    looked(client, outcomeOf(await mutate({ variables: { id, input } })));
}

export function useDeleteClient() {
  const [mutate, { client }] = useMutation(deleteClientDocument, { update: removeFromList('clients') });
  return async (id: string) => looked(client, outcomeOf(await mutate({ variables: { id } })));
}

/** The list is read again, so that the user sees whether a write was made that nothing is known of. */
function looked<Write extends Outcome<unknown>>(client: ApolloClient, write: Write): Write {
  if (write.outcome === 'UNKNOWN') void client.refetchQueries({ include: [clientsDocument] });
  return write;
}

/** The text for the user about a write that was not made, or perhaps was. */
export const explain = ({ outcome, message }: NotApplied) =>
  outcome === 'UNKNOWN' ? `${message} The change may have been made: look before you send it again.` : message;

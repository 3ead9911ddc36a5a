import { useMutation } from '@apollo/client/react';
import { addToList, filterAgain, removeFromList } from 'trivium-kits/apollo-lists';
import { type NotApplied, outcomeOf } from 'trivium-kits/outcome';
import { createClientDocument, deleteClientDocument, updateClientDocument } from './documents.ts';
import type { ClientInput } from './generated/graphql.ts';

export function useCreateClient() {
  const [mutate] = useMutation(createClientDocument, { update: addToList('clients') });
  return async (input: ClientInput) => outcomeOf(await mutate({ variables: { input } }));
}

/** The answer has the `id` and the changed fields, so the cache shows the change wherever the client is shown. */
export function useUpdateClient() {
  const [mutate] = useMutation(updateClientDocument, { update: filterAgain('clients') });
  return async (id: string, input: ClientInput) => outcomeOf(await mutate({ variables: { id, input } }));
}

export function useDeleteClient() {
  const [mutate] = useMutation(deleteClientDocument, { update: removeFromList('clients') });
  return async (id: string) => outcomeOf(await mutate({ variables: { id } }));
}

/** The text for the user about a write that was not made, or perhaps was. */
export const explain = ({ outcome, message }: NotApplied) =>
  outcome === 'UNKNOWN' ? `${message} The change may have been made: look before you send it again.` : message;

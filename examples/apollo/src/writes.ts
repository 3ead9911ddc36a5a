import { useMutation } from '@apollo/client/react';
import { type NotApplied, outcomeOf } from 'trivium-kits/outcome';
import { addToList, readListAgain, takeOut } from './cache-updates.ts';
import { createClientDocument, deleteClientDocument, updateClientDocument } from './documents.ts';
import type { ClientInput } from './generated/graphql.ts';

export function useCreateClient() {
  const [mutate, { client }] = useMutation(createClientDocument, { update: addToList });
  return async (input: ClientInput) => readListAgain(client, outcomeOf(await mutate({ variables: { input } })));
}

/** The answer has the `id` and the changed fields, so the cache shows the change wherever the client is shown. */
export function useUpdateClient() {
  const [mutate, { client }] = useMutation(updateClientDocument);
  return async (id: string, input: ClientInput) =>
    readListAgain(client, outcomeOf(await mutate({ variables: { id, input } })));
}

export function useDeleteClient() {
  const [mutate, { client }] = useMutation(deleteClientDocument, { update: takeOut });
  return async (id: string) => readListAgain(client, outcomeOf(await mutate({ variables: { id } })));
}

/** The text for the user about a write that was not made, or perhaps was. */
export const explain = ({ outcome, message }: NotApplied) =>
  outcome === 'UNKNOWN' ? `${message} The change may have been made: look before you send it again.` : message;

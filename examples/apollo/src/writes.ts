import { useMutation } from '@apollo/client/react';
import { addToList, readListAgain, takeOut } from './cache-updates.ts';
import { createClientDocument, deleteClientDocument, updateClientDocument } from './documents.ts';
import type { ClientInput } from './generated/graphql.ts';
import { outcomeOf } from './outcomes.ts';

export function useCreateClient() {
  const [mutate, { client }] = useMutation(createClientDocument, {
    update: (cache, { data }) => data && addToList(cache, data),
  });
  return async (input: ClientInput) => {
    const { data, error } = await mutate({ variables: { input } });
    const result = outcomeOf({ result: data?.createClient, error });
    void readListAgain(client, result);
    return result;
  };
}

/** The answer has the `id` and the changed fields, so the cache shows the change wherever the client is shown. */
export function useUpdateClient() {
  const [mutate, { client }] = useMutation(updateClientDocument);
  return async (id: string, input: ClientInput) => {
    const { data, error } = await mutate({ variables: { id, input } });
    const result = outcomeOf({ result: data?.updateClient, error });
    void readListAgain(client, result);
    return result;
  };
}

export function useDeleteClient() {
  const [mutate, { client }] = useMutation(deleteClientDocument, {
    update: (cache, { data }) => data && takeOut(cache, data),
  });
  return async (id: string) => {
    const { data, error } = await mutate({ variables: { id } });
    const result = outcomeOf({ result: data?.deleteClient, error });
    void readListAgain(client, result);
    return result;
  };
}

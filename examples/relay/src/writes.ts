import { ConnectionHandler, type Environment, ROOT_ID } from 'relay-runtime';
import { addToLists, removeFromLists, write } from 'trivium-kits/relay';
import { outcomeOf } from 'trivium-kits/outcome';
import createClientNode, { type createClientMutation } from './__generated__/createClientMutation.graphql.ts';
import deleteClientNode, { type deleteClientMutation } from './__generated__/deleteClientMutation.graphql.ts';
import updateClientNode, { type updateClientMutation } from './__generated__/updateClientMutation.graphql.ts';

export type ClientInput = createClientMutation['variables']['input'];

/** The list of all clients, newest first. */
const lists = [ConnectionHandler.getConnectionID(ROOT_ID, 'clientList_clients')];

export async function createClient(environment: Environment, input: ClientInput) {
  const result = await write<createClientMutation>(environment, {
    mutation: createClientNode,
    variables: { input },
    updater: (store) => addToLists(store, 'createClient', lists),
  });
  return outcomeOf(result);
}

/** The answer has the `id` and the changed fields: the store shows the change wherever the client is shown. */
export async function updateClient(environment: Environment, id: string, input: ClientInput) {
  const variables = { id, input };
  return outcomeOf(await write<updateClientMutation>(environment, { mutation: updateClientNode, variables }));
}

export async function deleteClient(environment: Environment, id: string) {
  const result = await write<deleteClientMutation>(environment, {
    mutation: deleteClientNode,
    variables: { id },
    updater: (store) => removeFromLists(store, 'deleteClient', lists),
  });
  return outcomeOf(result);
}

import { builder } from '../../graph/builder.ts';
import { referenceId } from '../../graph/ids.ts';
import { invalidInput } from '../../errors.ts';
import { externalIdMap, ExternalIdInput } from './external-ids.ts';
import { keyInputs, sentKeys } from '../../graph/key-fields.ts';
import { dealKeys } from './keys.ts';
import type { DealFields } from './wire.ts';

const DealClientInput = builder.inputType('DealClientInput', {
  description:
    'The client of a deal. Upstream links an existing client or creates a new one. How it finds an existing client is not documented; the sandbox compares the external ids, then the email address.',
  fields: (t) => ({
    name: t.string({ description: 'Its name; a new client needs one.' }),
    email: t.string({ description: 'Email address.' }),
    externalIds: t.field({
      type: [ExternalIdInput],
      description: 'Ids in other systems, at most one for each system.',
    }),
  }),
});

export const DealInput = builder.inputType('DealInput', {
  description: 'Fields of a deal. In a change, a field that is left out stays; null clears it.',
  fields: (t) => ({
    ...keyInputs(t, dealKeys),
    externalIds: t.field({
      type: [ExternalIdInput],
      description: 'Ids in other systems, at most one for each system.',
    }),
    clientId: t.id({ description: 'Global id or upstream id of the client.' }),
    client: t.field({
      type: DealClientInput,
      description: 'The client to link or to create. Cannot be given together with `clientId`.',
    }),
  }),
});

const sentDeal = sentKeys(dealKeys);

/**
 * The fields of a deal as the CRM takes them: the body of `POST /app/deals.json` and `PUT /app/deals/:id.json`.
 *
 * @throws ValidationError for both `client` and `clientId`, a null `client`, an id that is empty or of another type, and
 *   a system that is repeated
 */
export function dealFields(input: typeof DealInput.$inferInput): DealFields {
  const { externalIds, clientId, client, ...fields } = input;
  if (client && clientId !== undefined) {
    throw invalidInput('client', 'cannot be given together with `clientId`');
  }
  if (client === null) {
    throw invalidInput('client', 'cannot be null: `clientId: null` removes the client of the deal');
  }
  return {
    ...sentDeal(fields),
    external_ids: externalIdMap(externalIds),
    client_id: referenceId(clientId, 'clientId', 'Client'),
    client: client && {
      name: client.name,
      email: client.email,
      external_ids: externalIdMap(client.externalIds, 'client.externalIds'),
    },
  };
}

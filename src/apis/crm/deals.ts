import { DeletedNode, nodeQuery, nodeRef } from '../../graph/node-ref.ts';
import { builder } from '../../graph/builder.ts';
import type { Context } from '../../operation/context.ts';
import { globalId, idArgument, upstreamId } from '../../graph/ids.ts';
import { changesOf } from '../../errors.ts';
import { identifier } from '../../formats/leaves.ts';
import { linkedId } from '../../calls/transport/path.ts';
import { Client } from './clients.ts';
import { dealFields, DealInput } from './deal-input.ts';
import { ExternalId } from './external-ids.ts';
import { keyFields } from '../../graph/key-fields.ts';
import { dealKeys } from './keys.ts';
import { dealKey as key, recordFields } from './lazy-fields.ts';
import { type DealRecord, externalIdList, nestedClientId, sentDeal } from './wire.ts';

/** Resolves the id of the client of a deal: that of a nested record, or its own. */
function clientIdBy(read: (value: unknown) => string | null) {
  const ownId = key('client_id', read);
  const clientId: typeof ownId = (deal, ...rest) => read(nestedClientId(deal)) ?? ownId(deal, ...rest);
  return clientId;
}

export const Deal = nodeRef<DealRecord>('Deal', (ids, { crm }) => crm.dealsById(ids));

builder.objectType(Deal, {
  name: 'Deal',
  description: 'A sale in progress.',
  fields: (t) => ({
    ...recordFields(t, key.whole(sentDeal)),
    ...keyFields(t, dealKeys, key),
    externalIds: t.field({
      type: [ExternalId],
      description: 'Ids in other systems. Upstream accepts them; whether it returns them is not documented.',
      resolve: key('external_ids', externalIdList),
    }),
    clientId: t.id({ description: 'Upstream id of the client.', resolve: clientIdBy(identifier) }),
    client: t.field({
      type: Client,
      description:
        'The client of the deal. Several clients are read together: by `GET /app/clients/:id.json`, or from `GET /app/clients.json` when that costs less.',
      resolve: clientIdBy(linkedId), // an id suffices: Client loads itself
    }),
  }),
});

nodeQuery('deal', Deal, 'One deal, or null when the caller can see none. Calls `GET /app/deals/:id.json`.');

/** Writes of one deal, for single and bulk mutations. */
export const dealWrites = {
  create: async (input: typeof DealInput.$inferInput, { crm }: Context) => crm.createDeal(dealFields(input)),
  update: async ({ id, input }: { id: string; input: typeof DealInput.$inferInput }, { crm }: Context) =>
    crm.updateDeal(upstreamId(id, 'Deal'), changesOf(dealFields(input))),
  delete: async (id: string, { crm }: Context) => {
    const deal = upstreamId(id, 'Deal');
    await crm.deleteDeal(deal);
    return { deletedId: globalId('Deal', deal) };
  },
};

builder.mutationFields((t) => ({
  createDeal: t.field({
    type: Deal,
    description:
      'Creates a deal. Also creates the client when `client` matches no existing one. Calls `POST /app/deals.json`.',
    errors: {},
    args: { input: t.arg({ type: DealInput, required: true, description: 'The deal.' }) },
    resolve: (_root, { input }, context) => dealWrites.create(input, context),
  }),
  updateDeal: t.field({
    type: Deal,
    description:
      'Changes a deal. A field that is left out stays; null clears it. Calls `PUT /app/deals/:id.json`. When the response holds no record, selected fields are read by id.',
    errors: {},
    args: {
      id: idArgument(t.arg),
      input: t.arg({ type: DealInput, required: true, description: 'The changes.' }),
    },
    resolve: (_root, change, context) => dealWrites.update(change, context),
  }),
  deleteDeal: t.field({
    type: DeletedNode,
    description: 'Deletes a deal. Calls `DELETE /app/deals/:id.json`.',
    errors: {},
    args: { id: idArgument(t.arg) },
    resolve: (_root, { id }, context) => dealWrites.delete(id, context),
  }),
}));

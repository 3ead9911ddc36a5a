import { builder } from '../../graph/builder.ts';
import { DeletedNode } from '../../graph/node-ref.ts';
import { bulkArguments, bulkErrors, bulkNullable, bulkResolver, describeBulk } from '../../graph/bulk.ts';
import { ifUpdatedAtField } from '../../graph/if-updated-at.ts';
import { ClientInput } from './client-input.ts';
import { Client, clientWrites } from './clients.ts';
import { Contact, ContactInput, contactWrites } from './contacts.ts';
import { DealInput } from './deal-input.ts';
import { Deal, dealWrites } from './deals.ts';
import { CreatePostInput, createPost } from './post-input.ts';
import { Post } from './posts.ts';

const ClientChange = builder.inputType('ClientChange', {
  description: 'A change of one client.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id or upstream id.' }),
    input: t.field({ type: ClientInput, required: true, description: 'The changes.' }),
    ifUpdatedAt: ifUpdatedAtField(t),
  }),
});

const DealChange = builder.inputType('DealChange', {
  description: 'A change of one deal.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id or upstream id.' }),
    input: t.field({ type: DealInput, required: true, description: 'The changes.' }),
  }),
});

const ContactChange = builder.inputType('ContactChange', {
  description: 'A change of one contact.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id or upstream id.' }),
    input: t.field({ type: ContactInput, required: true, description: 'The changes.' }),
  }),
});

const idsDescription = 'Global ids or upstream ids.';

builder.mutationFields((t) => ({
  createClients: t.field({
    type: [Client],
    nullable: bulkNullable,
    description: describeBulk('Creates clients. Calls `POST /app/clients.json` for each.'),
    itemErrors: bulkErrors,
    args: {
      inputs: t.arg({ type: [ClientInput], required: true, description: 'The clients.' }),
      ...bulkArguments(t.arg),
    },
    resolve: bulkResolver('inputs', clientWrites.create),
  }),
  updateClients: t.field({
    type: [Client],
    nullable: bulkNullable,
    description: describeBulk('Changes clients. Calls `PUT /app/clients/:id.json` for each.'),
    itemErrors: bulkErrors,
    args: {
      inputs: t.arg({ type: [ClientChange], required: true, description: 'The changes.' }),
      ...bulkArguments(t.arg),
    },
    resolve: bulkResolver('inputs', clientWrites.update),
  }),
  deleteClients: t.field({
    type: [DeletedNode],
    nullable: bulkNullable,
    description: describeBulk('Deletes clients. Calls `DELETE /app/clients/:id.json` for each.'),
    itemErrors: bulkErrors,
    args: { ids: t.arg.idList({ required: true, description: idsDescription }), ...bulkArguments(t.arg) },
    resolve: bulkResolver('ids', clientWrites.delete),
  }),
  createDeals: t.field({
    type: [Deal],
    nullable: bulkNullable,
    description: describeBulk('Creates deals. Calls `POST /app/deals.json` for each.'),
    itemErrors: bulkErrors,
    args: {
      inputs: t.arg({ type: [DealInput], required: true, description: 'The deals.' }),
      ...bulkArguments(t.arg),
    },
    resolve: bulkResolver('inputs', dealWrites.create),
  }),
  updateDeals: t.field({
    type: [Deal],
    nullable: bulkNullable,
    description: describeBulk('Changes deals. Calls `PUT /app/deals/:id.json` for each.'),
    itemErrors: bulkErrors,
    args: {
      inputs: t.arg({ type: [DealChange], required: true, description: 'The changes.' }),
      ...bulkArguments(t.arg),
    },
    resolve: bulkResolver('inputs', dealWrites.update),
  }),
  deleteDeals: t.field({
    type: [DeletedNode],
    nullable: bulkNullable,
    description: describeBulk('Deletes deals. Calls `DELETE /app/deals/:id.json` for each.'),
    itemErrors: bulkErrors,
    args: { ids: t.arg.idList({ required: true, description: idsDescription }), ...bulkArguments(t.arg) },
    resolve: bulkResolver('ids', dealWrites.delete),
  }),
  createContacts: t.field({
    type: [Contact],
    nullable: bulkNullable,
    description: describeBulk('Creates contacts. Calls `POST /app/contacts.json` for each.'),
    itemErrors: bulkErrors,
    args: {
      inputs: t.arg({ type: [ContactInput], required: true, description: 'The contacts.' }),
      ...bulkArguments(t.arg),
    },
    resolve: bulkResolver('inputs', contactWrites.create),
  }),
  updateContacts: t.field({
    type: [Contact],
    nullable: bulkNullable,
    description: describeBulk('Changes contacts. Calls `PUT /app/contacts/:id.json` for each.'),
    itemErrors: bulkErrors,
    args: {
      inputs: t.arg({ type: [ContactChange], required: true, description: 'The changes.' }),
      ...bulkArguments(t.arg),
    },
    resolve: bulkResolver('inputs', contactWrites.update),
  }),
  createPosts: t.field({
    type: [Post],
    nullable: bulkNullable,
    description: describeBulk('Creates posts. Calls `POST /app/posts.json` for each.'),
    itemErrors: bulkErrors,
    args: {
      inputs: t.arg({ type: [CreatePostInput], required: true, description: 'The posts.' }),
      ...bulkArguments(t.arg),
    },
    resolve: bulkResolver('inputs', createPost),
  }),
}));

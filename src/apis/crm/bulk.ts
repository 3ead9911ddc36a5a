import { builder } from '../../graph/builder.ts';
import { DeletedNode } from '../../graph/node-ref.ts';
import { bulkArguments, bulkInputs, bulkOptions, bulkResolver, describeBulk } from '../../graph/bulk.ts';
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
    ...bulkOptions,
    description: describeBulk('Creates clients. Calls `POST /app/clients.json` for each.'),
    args: bulkInputs(t.arg, ClientInput, 'The clients.'),
    resolve: bulkResolver('inputs', clientWrites.create),
  }),
  updateClients: t.field({
    type: [Client],
    ...bulkOptions,
    description: describeBulk('Changes clients. Calls `PUT /app/clients/:id.json` for each.'),
    args: bulkInputs(t.arg, ClientChange, 'The changes.'),
    resolve: bulkResolver('inputs', clientWrites.update),
  }),
  deleteClients: t.field({
    type: [DeletedNode],
    ...bulkOptions,
    description: describeBulk('Deletes clients. Calls `DELETE /app/clients/:id.json` for each.'),
    args: { ids: t.arg.idList({ required: true, description: idsDescription }), ...bulkArguments(t.arg) },
    resolve: bulkResolver('ids', clientWrites.delete),
  }),
  createDeals: t.field({
    type: [Deal],
    ...bulkOptions,
    description: describeBulk('Creates deals. Calls `POST /app/deals.json` for each.'),
    args: bulkInputs(t.arg, DealInput, 'The deals.'),
    resolve: bulkResolver('inputs', dealWrites.create),
  }),
  updateDeals: t.field({
    type: [Deal],
    ...bulkOptions,
    description: describeBulk('Changes deals. Calls `PUT /app/deals/:id.json` for each.'),
    args: bulkInputs(t.arg, DealChange, 'The changes.'),
    resolve: bulkResolver('inputs', dealWrites.update),
  }),
  deleteDeals: t.field({
    type: [DeletedNode],
    ...bulkOptions,
    description: describeBulk('Deletes deals. Calls `DELETE /app/deals/:id.json` for each.'),
    args: { ids: t.arg.idList({ required: true, description: idsDescription }), ...bulkArguments(t.arg) },
    resolve: bulkResolver('ids', dealWrites.delete),
  }),
  createContacts: t.field({
    type: [Contact],
    ...bulkOptions,
    description: describeBulk('Creates contacts. Calls `POST /app/contacts.json` for each.'),
    args: bulkInputs(t.arg, ContactInput, 'The contacts.'),
    resolve: bulkResolver('inputs', contactWrites.create),
  }),
  updateContacts: t.field({
    type: [Contact],
    ...bulkOptions,
    description: describeBulk('Changes contacts. Calls `PUT /app/contacts/:id.json` for each.'),
    args: bulkInputs(t.arg, ContactChange, 'The changes.'),
    resolve: bulkResolver('inputs', contactWrites.update),
  }),
  createPosts: t.field({
    type: [Post],
    ...bulkOptions,
    description: describeBulk('Creates posts. Calls `POST /app/posts.json` for each.'),
    args: bulkInputs(t.arg, CreatePostInput, 'The posts.'),
    resolve: bulkResolver('inputs', createPost),
  }),
}));

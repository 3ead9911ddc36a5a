import { nodeQuery, nodeRef } from '../../graph/node-ref.ts';
import { builder } from '../../graph/builder.ts';
import type { Context } from '../../operation/context.ts';
import { idArgument, upstreamId } from '../../graph/ids.ts';
import { changesOf } from '../../errors.ts';
import { keyFields, keyInputs, sentKeys } from '../../graph/key-fields.ts';
import { contactKeys } from './keys.ts';
import { contactKey, recordFields } from './lazy-fields.ts';
import type { ContactRecord } from './wire.ts';

export const Contact = nodeRef<ContactRecord>('Contact', (ids, { crm }) => crm.contactsById(ids));

builder.objectType(Contact, {
  name: 'Contact',
  description: 'A contact person.',
  fields: (t) => ({
    ...recordFields(t, contactKey.whole()),
    ...keyFields(t, contactKeys, contactKey),
  }),
});

export const ContactInput = builder.inputType('ContactInput', {
  description: 'Fields of a contact. In a change, a field that is left out stays; null clears it.',
  fields: (t) => keyInputs(t, contactKeys),
});

nodeQuery(
  'contact',
  Contact,
  'One contact, or null when the caller can see none. Calls `GET /app/contacts/:id.json`. The API has no list of contacts.',
);

const sentContact = sentKeys(contactKeys);

/** Writes of one contact, for single and bulk mutations. */
export const contactWrites = {
  create: async (input: typeof ContactInput.$inferInput, { crm }: Context) => crm.createContact(sentContact(input)),
  update: async ({ id, input }: { id: string; input: typeof ContactInput.$inferInput }, { crm }: Context) =>
    crm.updateContact(upstreamId(id, 'Contact'), changesOf(sentContact(input))),
};

builder.mutationFields((t) => ({
  createContact: t.field({
    type: Contact,
    description: 'Creates a contact. Calls `POST /app/contacts.json`.',
    errors: {},
    args: { input: t.arg({ type: ContactInput, required: true, description: 'The contact.' }) },
    resolve: (_root, { input }, context) => contactWrites.create(input, context),
  }),
  updateContact: t.field({
    type: Contact,
    description:
      'Changes a contact. A field that is left out stays; null clears it. Calls `PUT /app/contacts/:id.json`. When the response holds no record, selected fields are read by id.',
    errors: {},
    args: {
      id: idArgument(t.arg),
      input: t.arg({ type: ContactInput, required: true, description: 'The changes.' }),
    },
    resolve: (_root, change, context) => contactWrites.update(change, context),
  }),
}));

import { nodeRef } from '../../graph/node-ref.ts';
import { builder } from '../../graph/builder.ts';
import type { Context } from '../../operation/context.ts';
import { idArgument, referenceId, upstreamId } from '../../graph/ids.ts';
import { changesOf } from '../../errors.ts';
import { identifier, text } from '../../formats/leaves.ts';
import { shownId } from '../../calls/transport/path.ts';
import { contactKey as key, rawDescription } from './lazy-fields.ts';
import type { ContactFields, ContactRecord } from './wire.ts';

export const Contact = nodeRef<ContactRecord>('Contact', (ids, { crm }) => crm.contactsById(ids));

builder.objectType(Contact, {
  name: 'Contact',
  description: 'A contact person.',
  fields: (t) => ({
    upstreamId: t.id({ nullable: false, description: 'Id in the CRM.', resolve: shownId }),
    raw: t.field({
      type: 'JSONObject',
      semanticNonNull: true,
      description: rawDescription,
      resolve: key.whole(),
    }),
    name: t.string({ description: 'Name.', resolve: key('name', text) }),
    firstName: t.string({ description: 'Given name.', resolve: key('first_name', text) }),
    lastName: t.string({ description: 'Family name.', resolve: key('last_name', text) }),
    email: t.string({ description: 'Email address.', resolve: key('email', text) }),
    phone: t.string({ description: 'Phone number.', resolve: key('phone', text) }),
    description: t.string({ description: 'A note.', resolve: key('description', text) }),
    responsibleId: t.id({
      description: 'Upstream id of the responsible user.',
      resolve: key('responsible_id', identifier),
    }),
  }),
});

export const ContactInput = builder.inputType('ContactInput', {
  description: 'Fields of a contact. In a change, a field that is left out stays; null clears it.',
  fields: (t) => ({
    name: t.string({ description: 'Name.' }),
    firstName: t.string({ description: 'Given name.' }),
    lastName: t.string({ description: 'Family name.' }),
    email: t.string({ description: 'Email address.' }),
    phone: t.string({ description: 'Phone number.' }),
    description: t.string({ description: 'A note.' }),
    responsibleId: t.id({ description: 'Upstream id of the responsible user.' }),
  }),
});

/** The fields of a contact as the CRM takes them. */
function contactFields(input: typeof ContactInput.$inferInput): ContactFields {
  const { firstName: first_name, lastName: last_name, responsibleId, ...unrenamed } = input;
  return { ...unrenamed, first_name, last_name, responsible_id: referenceId(responsibleId, 'responsibleId') };
}

builder.queryField('contact', (t) =>
  t.field({
    type: Contact,
    description:
      'One contact, or null when the caller can see none. Calls `GET /app/contacts/:id.json`. The API has no list of contacts.',
    args: { id: idArgument(t.arg) },
    resolve: (_root, { id }) => upstreamId(id, 'Contact'),
  }),
);

/** Writes of one contact, for single and bulk mutations. */
export const contactWrites = {
  create: async (input: typeof ContactInput.$inferInput, { crm }: Context) => crm.createContact(contactFields(input)),
  update: async ({ id, input }: { id: string; input: typeof ContactInput.$inferInput }, { crm }: Context) =>
    crm.updateContact(upstreamId(id, 'Contact'), changesOf(contactFields(input))),
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

import { nodeQuery, nodeRef } from '../../graph/node-ref.ts';
import { builder } from '../../graph/builder.ts';
import { idArgument, upstreamId } from '../../graph/ids.ts';
import { keyFields } from '../../graph/key-fields.ts';
import { contactListKeys } from './keys.ts';
import { contactListKey, recordFields } from './lazy-fields.ts';
import type { ContactListRecord } from './wire.ts';

export const ContactList = nodeRef<ContactListRecord>('ContactList', (ids, { crm }) => crm.contactListsById(ids));

builder.objectType(ContactList, {
  name: 'ContactList',
  description: 'A list of recipients. Its members are not documented.',
  fields: (t) => ({
    ...recordFields(t, contactListKey.whole()),
    ...keyFields(t, contactListKeys, contactListKey),
  }),
});

nodeQuery(
  'contactList',
  ContactList,
  'One contact list, or null when the caller can see none. Calls `GET /app/contact_lists/:id.json`.',
);

builder.mutationFields((t) => ({
  createContactList: t.field({
    type: ContactList,
    description: 'Creates a contact list. Calls `POST /app/contact_lists.json`.',
    errors: {},
    args: { name: t.arg.string({ required: true, description: 'Its name.' }) },
    resolve: (_root, { name }, { crm }) => crm.createContactList(name),
  }),
  updateContactList: t.field({
    type: ContactList,
    description:
      'Renames a contact list. Calls `PUT /app/contact_lists/:id.json`. When the response holds no record, selected fields are read by id.',
    errors: {},
    args: {
      id: idArgument(t.arg),
      name: t.arg.string({ required: true, description: 'The new name.' }),
    },
    resolve: (_root, { id, name }, { crm }) => crm.updateContactList(upstreamId(id, 'ContactList'), name),
  }),
}));

import { bulk, change, creation, invalid, missing, written } from './mutations.ts';
import { createRecords } from './records.ts';
import { lost, type Scenario } from './support.ts';

const CONTACT = 'id upstreamId name firstName lastName email phone description responsibleId';

/** Contacts and contact lists. */
export const contacts: Scenario = {
  seed: async (house) =>
    createRecords(house, [
      ['contacts', { contact: { name: 'Ada', email: 'ada@example.com', first_name: 'Ada', description: 'D' } }],
      ['contact_lists', { contact_list: { name: 'News' } }],
    ]),
  steps: {
    'a contact': {
      query: `{ contact(id: 1) { ${CONTACT} } }`,
      calls: 1,
      differs: { lean: { notSent: ['contact.responsibleId'] } },
    },
    'a contact that is missing': { query: '{ contact(id: 99) { name } }', data: { contact: null }, calls: 1 },
    'a new contact with the fields that were sent': {
      query: written('createContact', 'input: { name: "Bob", phone: "2" }', 'Contact', 'name phone'),
      calls: 1,
    },
    'a new contact with its id': {
      query: written('createContact', 'input: { name: "Cy" }', 'Contact', CONTACT),
      calls: 1,
      differs: {
        unread: { data: { createContact: null }, errors: [lost('createContact.id')] },
        lean: { notSent: ['createContact.firstName', 'createContact.phone', 'createContact.responsibleId'], calls: 2 },
      },
    },
    'a new contact without a name': invalid('createContact', 'input: { phone: "2" }', "name can't be blank"),
    'a change of a contact': change('updateContact', 'id: 2, input: { lastName: "B" }', 'Contact', 'id name lastName'),
    'a change of a contact to a wrong address': invalid('updateContact', 'id: 2, input: { email: "no address" }'),
    'a change of a contact that is missing': missing('updateContact', 'id: 99, input: { name: "X" }'),
    'new contacts': {
      query: bulk('createContacts', 'inputs: [{ name: "D1" }, { name: "D2" }]', 'Contact', 'name'),
      calls: 2,
    },
    'changes of contacts': {
      query: bulk('updateContacts', 'inputs: [{ id: 1, input: { name: "E" } }]', 'Contact', 'id name'),
      calls: 1,
      differs: { unread: { calls: 2 } },
    },
    'a contact list': { query: '{ contactList(id: 1) { id upstreamId name } }', calls: 1 },
    'a contact list that is missing': {
      query: '{ contactList(id: 99) { name } }',
      data: { contactList: null },
      calls: 1,
    },
    'a new contact list': { query: written('createContactList', 'name: "L1"', 'ContactList', 'name'), calls: 1 },
    'a new contact list with its id': creation('createContactList', 'name: "L2"', 'ContactList', 'id'),
    'a new contact list without a name': invalid('createContactList', 'name: " "', "name can't be blank"),
    'a change of a contact list': change('updateContactList', 'id: 1, name: "L3"', 'ContactList', 'id name'),
    'a change of a contact list that is missing': missing('updateContactList', 'id: 99, name: "L4"'),
  },
};

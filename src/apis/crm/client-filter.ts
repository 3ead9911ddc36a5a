import {
  booleanField,
  enumsField,
  filterField,
  idsField,
  instantsField,
  listFilter,
  nullsField,
  textsField,
} from '../../graph/lists/filter-fields.ts';
import type { Condition } from '../../graph/lists/filters.ts';
import { nullableKeys } from '../../graph/key-fields.ts';
import { textFilter } from '../../graph/lists/text-filters.ts';
import { ClientKind, clientKind } from './client-input.ts';
import { customFieldConditions, ClientCustomFieldFilter } from './custom-field-filter.ts';
import { externalIdFilter, ExternalIdFilter } from './external-id-filter.ts';
import { clientKeys } from './keys.ts';
import type { ClientRecord } from './wire.ts';

/**
 * Matches clients with this text.
 *
 * @param path that of the text in the arguments, for errors
 */
export function clientTextFilter(words: string | null | undefined, path: string): Condition<ClientRecord> | undefined {
  return textFilter<ClientRecord>(
    words,
    path,
    ['name', 'shortcut', 'first_name', 'last_name', 'email', 'phone', 'mobile_phone', 'tax_no'],
    { joined: ['first_name', 'last_name'], numbers: ['phone', 'mobile_phone', 'tax_no'] },
  );
}

const ClientFilterField = nullableKeys(
  'ClientFilterField',
  'A field of a client that may have no value. The additional fields have conditions of their own.',
  clientKeys,
);

export const clientFilter = listFilter<ClientRecord>('Client', {
  text: filterField(
    'String',
    'This text is in the name, shortcut, first or last name or both together, email, a phone number or the tax number. Case and accents do not matter, and of numbers only the digits do. At most 200 characters.',
    clientTextFilter,
  ),
  kinds: enumsField('kind', ClientKind, clientKind, 'The kind is one of these.'),
  company: booleanField('company', 'True keeps companies; false keeps all other clients.'),
  emails: textsField('email', 'The email address is one of these. Case does not matter.'),
  cities: textsField('city', 'The city is one of these. Case and accents do not matter.'),
  countries: textsField('country', 'The country is one of these. Case and accents do not matter.'),
  statusIds: idsField('status_id', 'The status is one of these.'),
  categoryIds: idsField('category_id', 'The category is one of these.'),
  departmentIds: idsField('department_id', 'The department is one of these.'),
  projectIds: idsField('project_id', 'The project is one of these.'),
  responsibleIds: idsField('responsible_id', 'The responsible user is one of these.'),
  creatorIds: idsField('creator_id', 'It was created by one of these users.'),
  contactIds: idsField('contact_id', 'The main contact is one of these. Takes global ids or upstream ids.', 'Contact'),
  externalId: filterField(ExternalIdFilter, 'It has this id in another system.', externalIdFilter),
  customFields: filterField([ClientCustomFieldFilter], 'All of these additional fields match.', customFieldConditions),
  createdAt: instantsField('created_at', 'Created within this range.'),
  updatedAt: instantsField('updated_at', 'Last changed within this range.'),
  lastActivity: instantsField('last_activity', 'The last activity is within this range.'),
  isNull: nullsField(ClientFilterField, true),
  isNotNull: nullsField(ClientFilterField, false),
});

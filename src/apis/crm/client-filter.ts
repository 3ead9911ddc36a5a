import type { InputFieldBuilder } from '../../graph/builder.ts';
import { ClientKind, clientKind } from './client-input.ts';
import {
  anyOf,
  booleanFilter,
  type Condition,
  type Conditions,
  DateTimeRange,
  enumFilter,
  filterInputs,
  idFilter,
  instantRange,
  nullFilters,
} from '../../graph/lists/filters.ts';
import { textFilter, textInFilter } from '../../graph/lists/text-filters.ts';
import { customFieldConditions, ClientCustomFieldFilter } from './custom-field-filter.ts';
import { externalIdFilter, ExternalIdFilter } from './external-id-filter.ts';
import { nullableKeys } from '../../graph/key-fields.ts';
import { clientKeys } from './keys.ts';
import type { ClientRecord } from './wire.ts';

const ClientFilterField = nullableKeys(
  'ClientFilterField',
  'A field of a client that may have no value. The additional fields have conditions of their own.',
  clientKeys,
);

const conditionInputs = (t: InputFieldBuilder) => ({
  text: t.string({
    description:
      'This text is in the name, shortcut, first or last name or both together, email, a phone number or the tax number. Case and accents do not matter, and of numbers only the digits do. At most 200 characters.',
  }),
  kinds: t.field({ type: [ClientKind], description: 'The kind is one of these.' }),
  company: t.boolean({ description: 'True keeps companies; false keeps all other clients.' }),
  emails: t.stringList({ description: 'The email address is one of these. Case does not matter.' }),
  cities: t.stringList({ description: 'The city is one of these. Case and accents do not matter.' }),
  countries: t.stringList({ description: 'The country is one of these. Case and accents do not matter.' }),
  statusIds: t.idList({ description: 'The status is one of these.' }),
  categoryIds: t.idList({ description: 'The category is one of these.' }),
  departmentIds: t.idList({ description: 'The department is one of these.' }),
  projectIds: t.idList({ description: 'The project is one of these.' }),
  responsibleIds: t.idList({ description: 'The responsible user is one of these.' }),
  creatorIds: t.idList({ description: 'It was created by one of these users.' }),
  contactIds: t.idList({ description: 'The main contact is one of these. Takes global ids or upstream ids.' }),
  externalId: t.field({ type: ExternalIdFilter, description: 'It has this id in another system.' }),
  customFields: t.field({ type: [ClientCustomFieldFilter], description: 'All of these additional fields match.' }),
  createdAt: t.field({ type: DateTimeRange, description: 'Created within this range.' }),
  updatedAt: t.field({ type: DateTimeRange, description: 'Last changed within this range.' }),
  lastActivity: t.field({ type: DateTimeRange, description: 'The last activity is within this range.' }),
  isNull: t.field({ type: [ClientFilterField], description: 'All of these fields are null or empty.' }),
  isNotNull: t.field({ type: [ClientFilterField], description: 'None of these fields is null or empty.' }),
});

const { Alternative, Filter } = filterInputs('Client', conditionInputs);
export const ClientFilter = Filter;

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

/**
 * Creates the conditions of a filter.
 *
 * @throws ValidationError for a global id of another type, and for a condition that an additional field cannot have
 */
export function clientConditions(filter: typeof ClientFilter.$inferInput): Conditions<ClientRecord> {
  return [...conditionsOf(filter, ''), anyOf(filter.anyOf, conditionsOf)];
}

/** @param path the path of the conditions in the filter, for errors */
function conditionsOf(filter: typeof Alternative.$inferInput, path: string): Conditions<ClientRecord> {
  return [
    clientTextFilter(filter.text, `filter.${path}text`),
    enumFilter(filter.kinds, 'kind', clientKind),
    booleanFilter(filter.company, 'company'),
    textInFilter(filter.emails, ['email']),
    textInFilter(filter.cities, ['city']),
    textInFilter(filter.countries, ['country']),
    idFilter(filter.statusIds, 'status_id', `${path}statusIds`),
    idFilter(filter.categoryIds, 'category_id', `${path}categoryIds`),
    idFilter(filter.departmentIds, 'department_id', `${path}departmentIds`),
    idFilter(filter.projectIds, 'project_id', `${path}projectIds`),
    idFilter(filter.responsibleIds, 'responsible_id', `${path}responsibleIds`),
    idFilter(filter.creatorIds, 'creator_id', `${path}creatorIds`),
    idFilter(filter.contactIds, 'contact_id', `${path}contactIds`, 'Contact'),
    externalIdFilter(filter.externalId),
    ...customFieldConditions(filter.customFields, `filter.${path}customFields`),
    instantRange(filter.createdAt, 'created_at'),
    instantRange(filter.updatedAt, 'updated_at'),
    instantRange(filter.lastActivity, 'last_activity'),
    ...nullFilters<ClientRecord>(filter.isNull, true),
    ...nullFilters<ClientRecord>(filter.isNotNull, false),
  ];
}

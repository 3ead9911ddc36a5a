import { builder, type InputFieldBuilder } from '../../graph/builder.ts';
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
import type { ClientRecord } from './wire.ts';

const ClientFilterField = builder.enumType('ClientFilterField', {
  description: 'A field of a client that may have no value. The additional fields have conditions of their own.',
  values: {
    NAME: { value: 'name', description: 'The name.' },
    SHORTCUT: { value: 'shortcut', description: 'The abbreviation of the name.' },
    KIND: { value: 'kind', description: 'Whether it is a buyer or a seller.' },
    FIRST_NAME: { value: 'first_name', description: 'The given name.' },
    LAST_NAME: { value: 'last_name', description: 'The family name.' },
    POSITION: { value: 'position', description: 'The position.' },
    TAX_NO: { value: 'tax_no', description: 'The tax identification number.' },
    REGISTER_NUMBER: { value: 'register_number', description: 'The registration number.' },
    EMAIL: { value: 'email', description: 'The email address.' },
    PHONE: { value: 'phone', description: 'The phone number.' },
    MOBILE_PHONE: { value: 'mobile_phone', description: 'The mobile phone number.' },
    FAX: { value: 'fax', description: 'The fax number.' },
    WWW: { value: 'www', description: 'The web site.' },
    STREET: { value: 'street', description: 'The street.' },
    POST_CODE: { value: 'post_code', description: 'The post code.' },
    CITY: { value: 'city', description: 'The city.' },
    PROVINCE: { value: 'province', description: 'The province.' },
    COUNTRY: { value: 'country', description: 'The country.' },
    DELIVERY_ADDRESS: { value: 'delivery_address', description: 'The delivery address.' },
    BANK_ACCOUNT: { value: 'bank_account', description: 'The number of the bank account.' },
    DISCOUNT: { value: 'discount', description: 'The discount.' },
    PAYMENT_TO_KIND: { value: 'payment_to_kind', description: 'The default payment term.' },
    PAID_FROM: { value: 'paid_from', description: 'The start of the paid period.' },
    PAID_TO: { value: 'paid_to', description: 'The end of the paid period.' },
    PAID_TOTAL: { value: 'paid_total', description: 'The total of the payments.' },
    NOTE: { value: 'note', description: 'The note.' },
    DESCRIPTION: { value: 'description', description: 'The longer note.' },
    EXTERNAL_ID: { value: 'external_id', description: 'The id in another system.' },
    EXTERNAL_IDS: { value: 'external_ids', description: 'The ids in other systems.' },
    STATUS: { value: 'status_id', description: 'The status.' },
    CATEGORY: { value: 'category_id', description: 'The category.' },
    DEPARTMENT: { value: 'department_id', description: 'The department.' },
    PROJECT: { value: 'project_id', description: 'The project.' },
    RESPONSIBLE: { value: 'responsible_id', description: 'The responsible user.' },
    CREATOR: { value: 'creator_id', description: 'The user who created it.' },
    UPDATER: { value: 'updater_id', description: 'The user who changed it last.' },
    CONTACT: { value: 'contact_id', description: 'The main contact.' },
    LAST_ACTIVITY: { value: 'last_activity', description: 'The last activity.' },
  } as const satisfies Record<string, { value: keyof ClientRecord; description: string }>,
});

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

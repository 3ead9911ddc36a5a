import { builder } from '../builder.ts';
import { wireValues } from '../graphql/enums.ts';
import { invalidInput } from '../http/errors.ts';
import { ClientKind } from './client-kind.ts';
import { ClientCustomFieldsInput } from './custom-fields.ts';
import { externalIdMap, ExternalIdInput } from './external-ids.ts';
import { reference } from './ids.ts';
import { type ClientField, type ClientFields, customKinds, customNumbers } from './wire.ts';

const ClientAddressInput = builder.inputType('ClientAddressInput', {
  description: 'The parts of an address: one that is left out stays, null clears.',
  fields: (t) => ({
    street: t.string({ description: 'Street.' }),
    streetNo: t.string({ description: 'Number of the house, and of the flat.' }),
    postCode: t.string({ description: 'Post code.' }),
    city: t.string({ description: 'City.' }),
    province: t.string({ description: 'Province.' }),
    country: t.string({ description: 'Country.' }),
  }),
});

const ClientBankInput = builder.inputType('ClientBankInput', {
  description: 'Bank data: what is left out stays, null clears.',
  fields: (t) => ({
    name: t.string({ description: 'The bank.' }),
    account: t.string({ description: 'Number of the account.' }),
    accountId: t.id({ description: 'Id of the account in the CRM.' }),
  }),
});

const ClientPaymentsInput = builder.inputType('ClientPaymentsInput', {
  description: 'What a client has paid: what is left out stays, null clears.',
  fields: (t) => ({
    from: t.field({ type: 'DateOrDateTime', description: 'From when on it is paid.' }),
    to: t.field({ type: 'DateOrDateTime', description: 'Until when it is paid.' }),
    total: t.field({ type: 'Decimal', description: 'Total of the payments.' }),
  }),
});

export const ClientInput = builder.inputType('ClientInput', {
  description: 'Fields of a client. A change leaves alone what is left out, and clears what is null.',
  fields: (t) => ({
    name: t.string({ description: 'Its name; a new client needs one.' }),
    shortcut: t.string({ description: 'Abbreviation of the name.' }),
    kind: t.field({ type: ClientKind, description: 'What it is to the account.' }),
    company: t.boolean({ description: 'Whether it is a company.' }),
    firstName: t.string({ description: 'Given name.' }),
    lastName: t.string({ description: 'Family name.' }),
    position: t.string({ description: 'Position.' }),
    taxNo: t.string({ description: 'Tax identification number.' }),
    registerNumber: t.string({ description: 'Registration number.' }),
    email: t.string({ description: 'Email address.' }),
    phone: t.string({ description: 'Phone number.' }),
    mobilePhone: t.string({ description: 'Mobile phone number.' }),
    fax: t.string({ description: 'Fax number.' }),
    www: t.string({ description: 'Web site.' }),
    address: t.field({ type: ClientAddressInput, description: 'Where it is.' }),
    useDeliveryAddress: t.boolean({ description: 'Whether the delivery address is used.' }),
    deliveryAddress: t.string({ description: 'Delivery address.' }),
    bank: t.field({ type: ClientBankInput, description: 'Bank data.' }),
    discount: t.field({ type: 'Decimal', description: 'Discount.' }),
    paymentToKind: t.string({ description: 'Default payment term.' }),
    payments: t.field({ type: ClientPaymentsInput, description: 'Its payments.' }),
    note: t.string({ description: 'A note.' }),
    description: t.string({ description: 'A longer note.' }),
    sensitiveData: t.string({ description: 'Sensitive data, hidden in the application.' }),
    customFields: t.field({ type: ClientCustomFieldsInput, description: 'Additional fields.' }),
    externalIds: t.field({ type: [ExternalIdInput], description: 'Ids in other systems, one in each.' }),
    statusId: t.id({ description: 'Id of the status.' }),
    categoryId: t.id({ description: 'Id of the category.' }),
    departmentId: t.id({ description: 'Id of the department.' }),
    projectId: t.id({ description: 'Id of the project.' }),
    responsibleId: t.id({ description: 'Id of the responsible user.' }),
    contactId: t.id({ description: 'Global id or upstream id of the main contact.' }),
  }),
});

/** Where the fields of a group are on the wire. */
const groups = {
  address: {
    street: 'street',
    streetNo: 'street_no',
    postCode: 'post_code',
    city: 'city',
    province: 'province',
    country: 'country',
  },
  bank: { name: 'bank', account: 'bank_account', accountId: 'bank_account_id' },
  payments: { from: 'paid_from', to: 'paid_to', total: 'paid_total' },
} as const satisfies Record<string, Record<string, ClientField>>;

/** Where a field of the wire is in the input, unless that is just its name without underscores. */
const paths = new Map<string, string>([
  ...Object.entries(groups).flatMap(([group, fields]) =>
    Object.entries(fields).map(([field, wire]) => [wire, `${group}.${field}`] as const),
  ),
  ...wireValues(customKinds).flatMap((kind) =>
    customNumbers.map((number) => [`${kind}${number}`, `customFields.${kind}${number}`] as const),
  ),
]);

export const clientPath = (field: string): string | undefined => paths.get(field);

/**
 * A client as the CRM takes it.
 *
 * @throws ValidationError for what would be lost on the way
 */
export function clientFields(input: typeof ClientInput.$inferInput): ClientFields {
  const { address, bank, payments, customFields, externalIds, ...own } = input;
  for (const [group, value] of Object.entries({ address, bank, payments, customFields })) {
    if (value !== null) continue;
    const reason = 'takes its fields: null says of none of them that it is to be cleared';
    throw invalidInput(group, reason);
  }
  return {
    name: own.name,
    shortcut: own.shortcut,
    kind: own.kind,
    company: own.company,
    first_name: own.firstName,
    last_name: own.lastName,
    position: own.position,
    tax_no: own.taxNo,
    register_number: own.registerNumber,
    email: own.email,
    phone: own.phone,
    mobile_phone: own.mobilePhone,
    fax: own.fax,
    www: own.www,
    use_delivery_address: own.useDeliveryAddress,
    delivery_address: own.deliveryAddress,
    discount: own.discount,
    payment_to_kind: own.paymentToKind,
    note: own.note,
    description: own.description,
    sensitive_data: own.sensitiveData,
    status_id: reference(own.statusId, 'statusId'),
    category_id: reference(own.categoryId, 'categoryId'),
    department_id: reference(own.departmentId, 'departmentId'),
    project_id: reference(own.projectId, 'projectId'),
    responsible_id: reference(own.responsibleId, 'responsibleId'),
    contact_id: reference(own.contactId, 'contactId', 'Contact'),
    external_ids: externalIdMap(externalIds),
    ...ungrouped('address', address),
    ...ungrouped('bank', bank && { ...bank, accountId: reference(bank.accountId, 'bank.accountId') }),
    ...ungrouped('payments', payments),
    ...customFields,
  };
}

type Values = Readonly<Record<string, string | number | null | undefined>>;

function ungrouped(group: keyof typeof groups, values: Values | null | undefined): Values {
  return Object.fromEntries(Object.entries(groups[group]).map(([field, wire]) => [wire, values?.[field]]));
}

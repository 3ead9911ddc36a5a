import { builder } from '../../graph/builder.ts';
import { referenceId } from '../../graph/ids.ts';
import { describeText, enumOrText, wireEnum, wireValues } from '../../graph/enums.ts';
import { invalidInput } from '../../errors.ts';
import { oneOf } from '../../formats/leaves.ts';
import { ClientCustomFieldsInput } from './custom-fields.ts';
import { externalIdMap, ExternalIdInput, notForWriting } from './external-ids.ts';
import { type ClientField, type ClientFields, customFieldKinds, customFieldNumbers } from './wire.ts';

const clientKinds = { buyer: 'Buys from the account.', seller: 'Sells to the account.' };
export const ClientKind = wireEnum('ClientKind', 'The role of a client towards the account.', clientKinds);

/** Decodes the `kind` of a client. */
export const clientKind = oneOf(wireValues(clientKinds));

const ClientAddressInput = builder.inputType('ClientAddressInput', {
  description: 'The parts of an address. In a change, a part that is left out stays; null clears it.',
  fields: (t) => ({
    street: t.string({ description: 'Street.' }),
    streetNo: t.string({ description: 'House number and flat number.' }),
    postCode: t.string({ description: 'Post code.' }),
    city: t.string({ description: 'City.' }),
    province: t.string({ description: 'Province.' }),
    country: t.string({ description: 'Country.' }),
  }),
});

const ClientBankInput = builder.inputType('ClientBankInput', {
  description: 'Bank data. In a change, a field that is left out stays; null clears it.',
  fields: (t) => ({
    name: t.string({ description: 'The bank.' }),
    account: t.string({ description: 'Number of the account.' }),
    accountId: t.id({ description: 'Id of the account in the CRM.' }),
  }),
});

const ClientPaymentsInput = builder.inputType('ClientPaymentsInput', {
  description: 'Payments of a client. In a change, a field that is left out stays; null clears it.',
  fields: (t) => ({
    from: t.field({ type: 'DateOrDateTime', description: 'Start of the paid period.' }),
    to: t.field({ type: 'DateOrDateTime', description: 'End of the paid period.' }),
    total: t.field({ type: 'Decimal', description: 'Total of the payments.' }),
  }),
});

export const ClientInput = builder.inputType('ClientInput', {
  description: 'Fields of a client. In a change, a field that is left out stays; null clears it.',
  fields: (t) => ({
    name: t.string({ description: 'Its name; a new client needs one.' }),
    shortcut: t.string({ description: 'Abbreviation of the name.' }),
    kind: t.field({ type: ClientKind, description: 'Whether it is a buyer or a seller.' }),
    kindText: t.string({ description: describeText('kind') }),
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
    address: t.field({ type: ClientAddressInput, description: 'Its address.' }),
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
    externalId: t.string({ description: notForWriting('Id in another system.') }),
    externalIds: t.field({
      type: [ExternalIdInput],
      description: 'Ids in other systems, at most one for each system.',
    }),
    statusId: t.id({ description: 'Upstream id of the status.' }),
    categoryId: t.id({ description: 'Upstream id of the category.' }),
    departmentId: t.id({ description: 'Upstream id of the department.' }),
    projectId: t.id({ description: 'Upstream id of the project.' }),
    responsibleId: t.id({ description: 'Upstream id of the responsible user.' }),
    contactId: t.id({ description: 'Global id or upstream id of the main contact.' }),
  }),
});

/** The key on the wire of each field of a group. */
const groupedFields = {
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

/** Paths in the input by key on the wire, for keys whose path is not just the key in camel case. */
const inputPaths = new Map<string, string>([
  ...Object.entries(groupedFields).flatMap(([group, fields]) =>
    Object.entries(fields).map(([field, wireKey]) => [wireKey, `${group}.${field}`] as const),
  ),
  ...wireValues(customFieldKinds).flatMap((kind) =>
    customFieldNumbers.map((number) => [`${kind}${number}`, `customFields.${kind}${number}`] as const),
  ),
]);

/**
 * The path in `ClientInput` of a field that upstream refused.
 *
 * @param wireKey such as `post_code`
 * @returns such as `address.postCode`; undefined when the path is the key in camel case
 */
export const clientInputPath = (wireKey: string): string | undefined => inputPaths.get(wireKey);

/**
 * The fields of a client as the CRM takes them: the body of `POST /app/clients.json` and `PUT /app/clients/:id.json`.
 *
 * @throws ValidationError for a group that is null, an id that is empty or of another type, and a system that is repeated
 */
export function clientFields(input: typeof ClientInput.$inferInput): ClientFields {
  const { address, bank, payments, customFields, externalIds, ...fields } = input;
  assertGroup('address', address);
  assertGroup('bank', bank);
  assertGroup('payments', payments);
  assertGroup('customFields', customFields);
  const ownFields: ClientFields = {
    name: fields.name,
    shortcut: fields.shortcut,
    kind: enumOrText('kind', fields.kind, fields.kindText),
    company: fields.company,
    first_name: fields.firstName,
    last_name: fields.lastName,
    position: fields.position,
    tax_no: fields.taxNo,
    register_number: fields.registerNumber,
    email: fields.email,
    phone: fields.phone,
    mobile_phone: fields.mobilePhone,
    fax: fields.fax,
    www: fields.www,
    use_delivery_address: fields.useDeliveryAddress,
    delivery_address: fields.deliveryAddress,
    discount: fields.discount,
    payment_to_kind: fields.paymentToKind,
    note: fields.note,
    description: fields.description,
    sensitive_data: fields.sensitiveData,
    external_id: fields.externalId,
    status_id: referenceId(fields.statusId, 'statusId'),
    category_id: referenceId(fields.categoryId, 'categoryId'),
    department_id: referenceId(fields.departmentId, 'departmentId'),
    project_id: referenceId(fields.projectId, 'projectId'),
    responsible_id: referenceId(fields.responsibleId, 'responsibleId'),
    contact_id: referenceId(fields.contactId, 'contactId', 'Contact'),
    external_ids: externalIdMap(externalIds),
  };
  return Object.assign(
    ownFields,
    flattenGroup('address', address),
    flattenGroup('bank', bank && { ...bank, accountId: referenceId(bank.accountId, 'bank.accountId') }),
    flattenGroup('payments', payments),
    customFields,
  );
}

function assertGroup(name: string, value: object | null | undefined): void {
  if (value === null) throw invalidInput(name, 'cannot be null: to clear its fields, set each of them to null');
}

type GroupValues = Readonly<Record<string, string | number | null | undefined>>;

function flattenGroup(
  group: keyof typeof groupedFields,
  values: GroupValues | null | undefined,
): GroupValues | undefined {
  if (!values) return undefined;
  return Object.fromEntries(Object.entries(groupedFields[group]).map(([field, wireKey]) => [wireKey, values[field]]));
}

import { builder } from '../../graph/builder.ts';
import { describeText, enumOrText, wireEnum, wireValues } from '../../graph/enums.ts';
import { invalidInput } from '../../errors.ts';
import { oneOf } from '../../formats/leaves.ts';
import { ClientCustomFieldsInput } from './custom-fields.ts';
import { externalIdMap, ExternalIdInput } from './external-ids.ts';
import { inputPaths, keyInputs, notForWriting, sentKeys } from '../../graph/key-fields.ts';
import { clientGroups, customFieldKeys, ownClientKeys } from './keys.ts';
import type { ClientFields } from './wire.ts';

const clientKinds = { buyer: 'Buys from the account.', seller: 'Sells to the account.' };
export const ClientKind = wireEnum('ClientKind', 'The role of a client towards the account.', clientKinds);

/** Decodes the `kind` of a client. */
export const clientKind = oneOf(wireValues(clientKinds));

const ClientAddressInput = builder.inputType('ClientAddressInput', {
  description: 'The parts of an address. In a change, a part that is left out stays; null clears it.',
  fields: (t) => keyInputs(t, clientGroups.address),
});

const ClientBankInput = builder.inputType('ClientBankInput', {
  description: 'Bank data. In a change, a field that is left out stays; null clears it.',
  fields: (t) => keyInputs(t, clientGroups.bank),
});

const ClientPaymentsInput = builder.inputType('ClientPaymentsInput', {
  description: 'Payments of a client. In a change, a field that is left out stays; null clears it.',
  fields: (t) => keyInputs(t, clientGroups.payments),
});

export const ClientInput = builder.inputType('ClientInput', {
  description: 'Fields of a client. In a change, a field that is left out stays; null clears it.',
  fields: (t) => ({
    ...keyInputs(t, ownClientKeys),
    kind: t.field({ type: ClientKind, description: 'Whether it is a buyer or a seller.' }),
    kindText: t.string({ description: describeText('kind') }),
    address: t.field({ type: ClientAddressInput, description: 'Its address.' }),
    bank: t.field({ type: ClientBankInput, description: 'Bank data.' }),
    payments: t.field({ type: ClientPaymentsInput, description: 'Its payments.' }),
    customFields: t.field({ type: ClientCustomFieldsInput, description: 'Additional fields.' }),
    externalId: t.string({ description: notForWriting('Id in another system.') }),
    externalIds: t.field({
      type: [ExternalIdInput],
      description: 'Ids in other systems, at most one for each system.',
    }),
  }),
});

/** Paths in the input by key on the wire, for keys whose path is not just the key in camel case. */
const paths = new Map<string, string>([
  ...inputPaths(clientGroups.address, 'address.'),
  ...inputPaths(clientGroups.bank, 'bank.'),
  ...inputPaths(clientGroups.payments, 'payments.'),
  ...inputPaths(customFieldKeys, 'customFields.'),
]);

/**
 * The path in `ClientInput` of a field that upstream refused.
 *
 * @param wireKey such as `post_code`
 * @returns such as `address.postCode`; undefined when the path is the key in camel case
 */
export const clientInputPath = (wireKey: string): string | undefined => paths.get(wireKey);

const sent = {
  own: sentKeys(ownClientKeys),
  address: sentKeys(clientGroups.address, 'address.'),
  bank: sentKeys(clientGroups.bank, 'bank.'),
  payments: sentKeys(clientGroups.payments, 'payments.'),
};

/**
 * The fields of a client as the CRM takes them: the body of `POST /app/clients.json` and `PUT /app/clients/:id.json`.
 *
 * @throws ValidationError for a group that is null, an id that is empty or of another type, and a system that is repeated
 */
export function clientFields(input: typeof ClientInput.$inferInput): ClientFields {
  const { address, bank, payments, customFields, externalIds, kind, kindText, ...fields } = input;
  for (const [name, group] of Object.entries({ address, bank, payments, customFields })) {
    if (group === null) throw invalidInput(name, 'cannot be null: to clear its fields, set each of them to null');
  }
  return {
    ...sent.own(fields),
    kind: enumOrText('kind', kind, kindText),
    external_ids: externalIdMap(externalIds),
    ...(address && sent.address(address)),
    ...(bank && sent.bank(bank)),
    ...(payments && sent.payments(payments)),
    ...customFields,
  };
}

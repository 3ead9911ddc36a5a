import type { GraphQLResolveInfo } from 'graphql';
import { builder } from '../../graph/builder.ts';
import type { Context } from '../../operation/context.ts';
import { wireEnum, wireValues } from '../../graph/enums.ts';
import { readDate, readDateTime } from '../../formats/dates.ts';
import { raw, boolean, decimal, integer, text, unexpectedType } from '../../formats/leaves.ts';
import { decodeOrUndefined, type Leaf } from '../../graph/lists/decodable.ts';
import { clientKey } from './lazy-fields.ts';
import { keyFields, keyInputs } from '../../graph/key-fields.ts';
import {
  type CustomFieldKey,
  customFieldKeys,
  type CustomFieldKind,
  customFieldKinds,
  customFieldNumbers,
} from './keys.ts';
import type { ClientRecord } from './wire.ts';

/** The additional fields of a client. */
export const customFields: readonly CustomField[] = wireValues(customFieldKinds).flatMap((kind) =>
  customFieldNumbers.map((number): CustomField => ({ key: `${kind}${number}`, kind })),
);

interface CustomField {
  readonly key: CustomFieldKey;
  readonly kind: CustomFieldKind;
}

const ClientCustomFieldKind = wireEnum('ClientCustomFieldKind', 'The kind of an additional field.', {
  string: 'A short text.',
  integer: 'A whole number.',
  decimal: 'A decimal.',
  checkbox: 'A checkbox.',
  date: 'A date.',
  text: 'A long text.',
  datetime: 'An instant.',
} satisfies Record<CustomFieldKind, string>);

export const ClientCustomFieldKey = builder.enumType('ClientCustomFieldKey', {
  description: 'The key of an additional field.',
  values: Object.fromEntries(
    customFields.map(({ key, kind }) => [
      key.toUpperCase(),
      { value: key, description: `Additional field: ${customFieldKinds[kind].words}.` },
    ]),
  ),
});

/** A value of an additional field, as upstream sent it. */
interface CustomFieldEntry extends CustomField {
  readonly value: unknown;
}

const ClientCustomFieldEntry = builder.objectRef<CustomFieldEntry>('ClientCustomFieldEntry').implement({
  description: 'An additional field that has a value.',
  fields: (t) => ({
    key: t.field({
      type: ClientCustomFieldKey,
      nullable: false,
      description: 'Its key.',
      resolve: ({ key }) => key,
    }),
    kind: t.field({
      type: ClientCustomFieldKind,
      nullable: false,
      description: 'Its kind, which says how to read the value.',
      resolve: ({ kind }) => kind,
    }),
    value: t.string({
      description: 'Its value as a text: `12.50`, `true`, `2026-03-01`.',
      resolve: ({ kind, value }) => text(readings[kind](value)),
    }),
  }),
});

/** How the values of each kind are read as entries. */
const readings = {
  string: text,
  integer,
  decimal,
  checkbox: boolean,
  date: readBy(readDate, 'a date'),
  text,
  datetime: readBy(readDateTime, 'an instant'),
} satisfies Record<CustomFieldKind, Leaf<unknown>>;

function readBy(read: (value: unknown) => string | undefined, expected: string): Leaf<string> {
  return (value) => {
    if (raw(value) === null) return null;
    const found = read(value);
    if (found === undefined) throw unexpectedType(expected, value);
    return found;
  };
}

const resolvers = customFields.map(({ key }) => clientKey(key, raw));

/** Reads the additional fields that have a value. A key that the record lacks is read as that of a single field is. */
function entriesOf(client: ClientRecord, args: object, context: Context, info: GraphQLResolveInfo) {
  const values: readonly unknown[] = resolvers.map((resolve) => resolve(client, args, context, info));
  return values.some((value) => value instanceof Promise) ? Promise.all(values).then(entriesWith) : entriesWith(values);
}

/** @param values one for each of `customFields` */
function entriesWith(values: readonly unknown[]): CustomFieldEntry[] {
  return customFields
    .map((field, at) => ({ ...field, value: values[at] }))
    .filter(({ kind, value }) => decodeOrUndefined<unknown>(readings[kind], value) !== null);
}

export const ClientCustomFields = builder.objectRef<ClientRecord>('ClientCustomFields').implement({
  description: 'The additional fields of a client. Each account decides what they mean.',
  fields: (t) => ({
    entries: t.field({
      type: [ClientCustomFieldEntry],
      semanticNonNull: true,
      description: 'Those of the fields that have a value.',
      resolve: entriesOf,
    }),
    ...keyFields(t, customFieldKeys, clientKey),
  }),
});

export const ClientCustomFieldsInput = builder.inputType('ClientCustomFieldsInput', {
  description: 'The additional fields of a client. In a change, a field that is left out stays; null clears it.',
  fields: (t) => keyInputs(t, customFieldKeys),
});

import { builder } from '../builder.ts';
import { raw, boolean, decimal, integer, text } from '../http/formats/leaves.ts';
import { clientKey } from './lazy-fields.ts';
import {
  type ClientRecord,
  type CustomFieldKey,
  type CustomFieldKind,
  customFieldKinds,
  customFieldNumbers,
} from './wire.ts';

/** Defines the ten fields of one kind, such as `string1` to `string10`. */
function numberedFields<T>(
  kind: CustomFieldKind,
  define: (name: CustomFieldKey, description: string) => T,
): Record<string, T> {
  return Object.fromEntries(
    customFieldNumbers.map((number) => [
      `${kind}${number}`,
      define(`${kind}${number}`, `Additional field: ${customFieldKinds[kind]} ${number}.`),
    ]),
  );
}

export const ClientCustomFields = builder.objectRef<ClientRecord>('ClientCustomFields').implement({
  description: 'The additional fields of a client. Each account decides what they mean.',
  fields: (t) => ({
    ...numberedFields('string', (name, description) => t.string({ description, resolve: clientKey(name, text) })),
    ...numberedFields('integer', (name, description) =>
      t.field({ type: 'SafeInt', description, resolve: clientKey(name, integer) }),
    ),
    ...numberedFields('decimal', (name, description) =>
      t.field({ type: 'Decimal', description, resolve: clientKey(name, decimal) }),
    ),
    ...numberedFields('checkbox', (name, description) => t.boolean({ description, resolve: clientKey(name, boolean) })),
    ...numberedFields('date', (name, description) =>
      t.field({ type: 'Date', description, resolve: clientKey(name, raw) }),
    ),
    ...numberedFields('text', (name, description) => t.string({ description, resolve: clientKey(name, text) })),
    ...numberedFields('datetime', (name, description) =>
      t.field({ type: 'DateTime', description, resolve: clientKey(name, raw) }),
    ),
  }),
});

export const ClientCustomFieldsInput = builder.inputType('ClientCustomFieldsInput', {
  description: 'The additional fields of a client. In a change, a field that is left out stays; null clears it.',
  fields: (t) => ({
    ...numberedFields('string', (_name, description) => t.string({ description })),
    ...numberedFields('integer', (_name, description) => t.field({ type: 'SafeInt', description })),
    ...numberedFields('decimal', (_name, description) => t.field({ type: 'Decimal', description })),
    ...numberedFields('checkbox', (_name, description) => t.boolean({ description })),
    ...numberedFields('date', (_name, description) => t.field({ type: 'Date', description })),
    ...numberedFields('text', (_name, description) => t.string({ description })),
    ...numberedFields('datetime', (_name, description) => t.field({ type: 'DateTime', description })),
  }),
});

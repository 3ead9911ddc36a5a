import { builder } from '../builder.ts';
import { asSent, boolean, decimal, integer, text } from '../http/formats/leaves.ts';
import { clientKey } from './lazy.ts';
import { type ClientRecord, type CustomField, type CustomKind, customKinds, customNumbers } from './wire.ts';

/** There are ten fields of each kind: `string1` to `string10`. */
function ten<T>(kind: CustomKind, field: (name: CustomField, description: string) => T): Record<string, T> {
  return Object.fromEntries(
    customNumbers.map((number) => [
      `${kind}${number}`,
      field(`${kind}${number}`, `Additional field: ${customKinds[kind]} ${number}.`),
    ]),
  );
}

export const ClientCustomFields = builder.objectRef<ClientRecord>('ClientCustomFields').implement({
  description: 'The additional fields of a client. What each of them means is up to the account.',
  fields: (t) => ({
    ...ten('string', (name, description) => t.string({ description, resolve: clientKey(name, text) })),
    ...ten('integer', (name, description) =>
      t.field({ type: 'SafeInt', description, resolve: clientKey(name, integer) }),
    ),
    ...ten('decimal', (name, description) =>
      t.field({ type: 'Decimal', description, resolve: clientKey(name, decimal) }),
    ),
    ...ten('checkbox', (name, description) => t.boolean({ description, resolve: clientKey(name, boolean) })),
    ...ten('date', (name, description) => t.field({ type: 'Date', description, resolve: clientKey(name, asSent) })),
    ...ten('text', (name, description) => t.string({ description, resolve: clientKey(name, text) })),
    ...ten('datetime', (name, description) =>
      t.field({ type: 'DateTime', description, resolve: clientKey(name, asSent) }),
    ),
  }),
});

export const ClientCustomFieldsInput = builder.inputType('ClientCustomFieldsInput', {
  description: 'The additional fields of a client: one that is left out stays, null clears.',
  fields: (t) => ({
    ...ten('string', (_name, description) => t.string({ description })),
    ...ten('integer', (_name, description) => t.field({ type: 'SafeInt', description })),
    ...ten('decimal', (_name, description) => t.field({ type: 'Decimal', description })),
    ...ten('checkbox', (_name, description) => t.boolean({ description })),
    ...ten('date', (_name, description) => t.field({ type: 'Date', description })),
    ...ten('text', (_name, description) => t.string({ description })),
    ...ten('datetime', (_name, description) => t.field({ type: 'DateTime', description })),
  }),
});

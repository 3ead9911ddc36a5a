import { builder } from '../../graph/builder.ts';
import { keyFields } from '../../graph/key-fields.ts';
import { clientGroups } from './keys.ts';
import { clientKey } from './lazy-fields.ts';
import type { ClientRecord } from './wire.ts';

// Groups of fields of a client. A group has no record of its own: its fields resolve from the record of the client.

export const ClientAddress = builder.objectRef<ClientRecord>('ClientAddress').implement({
  description: 'The parts of an address.',
  fields: (t) => keyFields(t, clientGroups.address, clientKey),
});

export const ClientBank = builder.objectRef<ClientRecord>('ClientBank').implement({
  description: 'Bank data.',
  fields: (t) => keyFields(t, clientGroups.bank, clientKey),
});

export const ClientAvatar = builder.objectRef<ClientRecord>('ClientAvatar').implement({
  description: 'A picture. Its address is not documented.',
  fields: (t) => keyFields(t, clientGroups.avatar, clientKey),
});

export const ClientPayments = builder.objectRef<ClientRecord>('ClientPayments').implement({
  description: 'Payments of a client. Upstream states no currency.',
  fields: (t) => keyFields(t, clientGroups.payments, clientKey),
});

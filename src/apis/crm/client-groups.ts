import { builder } from '../../graph/builder.ts';
import { raw, decimal, identifier, integer, text } from '../../formats/leaves.ts';
import { clientKey as key } from './lazy-fields.ts';
import type { ClientRecord } from './wire.ts';

// Groups of fields of a client. A group has no record of its own: its fields resolve from the record of the client.

export const ClientAddress = builder.objectRef<ClientRecord>('ClientAddress').implement({
  description: 'The parts of an address.',
  fields: (t) => ({
    street: t.string({ description: 'Street.', resolve: key('street', text) }),
    streetNo: t.string({ description: 'House number and flat number.', resolve: key('street_no', text) }),
    postCode: t.string({ description: 'Post code.', resolve: key('post_code', text) }),
    city: t.string({ description: 'City.', resolve: key('city', text) }),
    province: t.string({ description: 'Province.', resolve: key('province', text) }),
    country: t.string({ description: 'Country, as upstream writes it.', resolve: key('country', text) }),
  }),
});

export const ClientBank = builder.objectRef<ClientRecord>('ClientBank').implement({
  description: 'Bank data.',
  fields: (t) => ({
    name: t.string({ description: 'The bank.', resolve: key('bank', text) }),
    account: t.string({ description: 'Number of the account.', resolve: key('bank_account', text) }),
    accountId: t.id({ description: 'Id of the account in the CRM.', resolve: key('bank_account_id', identifier) }),
  }),
});

export const ClientAvatar = builder.objectRef<ClientRecord>('ClientAvatar').implement({
  description: 'A picture. Its address is not documented.',
  fields: (t) => ({
    fileName: t.string({ description: 'Name of the file.', resolve: key('avatar_file_name', text) }),
    contentType: t.string({ description: 'Media type.', resolve: key('avatar_content_type', text) }),
    fileSize: t.field({
      type: 'SafeInt',
      description: 'Size in bytes.',
      resolve: key('avatar_file_size', integer),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it was last changed.',
      resolve: key('avatar_updated_at', raw),
    }),
  }),
});

export const ClientPayments = builder.objectRef<ClientRecord>('ClientPayments').implement({
  description: 'Payments of a client. Upstream states no currency.',
  fields: (t) => ({
    from: t.field({
      type: 'DateOrDateTime',
      description: 'Start of the paid period.',
      resolve: key('paid_from', raw),
    }),
    to: t.field({
      type: 'DateOrDateTime',
      description: 'End of the paid period.',
      resolve: key('paid_to', raw),
    }),
    total: t.field({ type: 'Decimal', description: 'Total of the payments.', resolve: key('paid_total', decimal) }),
  }),
});

import type { builder } from '../../graph/builder.ts';
import { shownId } from '../../calls/transport/path.ts';
import { lazyFieldResolver } from '../../graph/lists/lazy-fields.ts';
import { missingAsNull } from '../../errors.ts';
import type { ClientRecord, ContactListRecord, ContactRecord, DealRecord, PostRecord } from './wire.ts';

// Resolvers for the keys of each record. Not documented (A11, A132): which keys a list or a creation has, so one that
// is lacking is read by id when it is asked for.

export const clientKey = lazyFieldResolver<ClientRecord>({
  listed: ({ crm }) => crm.listedClients(),
  byId: ({ id }, { crm }) => crm.client(id).catch(missingAsNull),
});

export const postKey = lazyFieldResolver<PostRecord>({
  listed: ({ crm }) => crm.listedPosts(),
  byId: ({ id }, { crm }) => crm.post(id).catch(missingAsNull),
});

export const dealKey = lazyFieldResolver<DealRecord>({
  listed: ({ crm }) => crm.listedDeals(),
  byId: ({ id }, { crm }) => crm.deal(id).catch(missingAsNull),
});

export const contactKey = lazyFieldResolver<ContactRecord>({
  byId: ({ id }, { crm }) => crm.contact(id).catch(missingAsNull),
});

export const contactListKey = lazyFieldResolver<ContactListRecord>({
  byId: ({ id }, { crm }) => crm.contactList(id).catch(missingAsNull),
});

const rawDescription =
  'The record as upstream sends it, with its own keys and values, also those that no other field shows; the id is a text. Read by ' +
  'id where a list lacks keys.';

/**
 * Creates the fields that every record of the CRM has beside its keys.
 *
 * @param whole resolves `raw`
 */
export function recordFields<T extends { readonly id: string }>(
  t: PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, T>,
  whole: ReturnType<ReturnType<typeof lazyFieldResolver<T>>['whole']>,
  note = '',
) {
  return {
    upstreamId: t.id({ nullable: false, description: 'Id in the CRM.', resolve: shownId }),
    raw: t.field({
      type: 'JSONObject',
      semanticNonNull: true,
      description: `${rawDescription}${note}`,
      resolve: whole,
    }),
  };
}

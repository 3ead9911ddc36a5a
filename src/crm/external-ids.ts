import { builder } from '../builder.ts';
import { ValidationError } from '../http/errors.ts';
import type { ExternalId as ExternalIdEntry, ExternalIds } from './wire.ts';

export const ExternalId = builder.objectRef<ExternalIdEntry>('ExternalId').implement({
  description: 'The id that a record has in another system.',
  fields: (t) => ({
    system: t.exposeString('system', { nullable: false, description: 'Key of the other system, such as `shop`.' }),
    id: t.exposeID('id', { nullable: false, description: 'Id there. It is unique in that system only.' }),
  }),
});

export const ExternalIdInput = builder.inputType('ExternalIdInput', {
  description: 'The id that a record has in another system.',
  fields: (t) => ({
    system: t.string({ required: true, description: 'Key of the other system, such as `shop`.' }),
    id: t.id({ required: true, description: 'Id there.' }),
  }),
});

/**
 * External ids as the CRM takes them: a map by system.
 *
 * @param field the path of the list in the input
 * @throws ValidationError where a system is named twice, for one of its ids would be lost
 */
export function externalIdMap(
  list: readonly ExternalIdEntry[] | null | undefined,
  field = 'externalIds',
): ExternalIds | null | undefined {
  if (!list) return list;
  const firsts = new Map(list.map(({ system }, index) => [system, index] as const).toReversed());
  const twice = list.findIndex(({ system }, index) => firsts.get(system) !== index);
  if (twice !== -1) {
    const path = `${field}.${twice}.system`;
    throw new ValidationError(`\`${path}\` is named twice: a record has one id in each system.`, {
      [path]: ['is named twice'],
    });
  }
  return Object.fromEntries(list.map(({ system, id }) => [system, id]));
}

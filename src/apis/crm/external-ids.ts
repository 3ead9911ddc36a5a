import { builder } from '../../graph/builder.ts';
import { invalidInput } from '../../errors.ts';
import type { ExternalId as ExternalIdEntry, ExternalIds } from './wire.ts';

export const ExternalId = builder.objectRef<ExternalIdEntry>('ExternalId').implement({
  description: 'The id that a record has in another system.',
  fields: (t) => ({
    system: t.exposeString('system', { nullable: false, description: 'Key of the other system, such as `shop`.' }),
    value: t.exposeString('value', {
      nullable: false,
      description: 'Id there, unique in that system only: no key for a cache.',
    }),
  }),
});

export const ExternalIdInput = builder.inputType('ExternalIdInput', {
  description: 'The id that a record has in another system.',
  fields: (t) => ({
    system: t.string({ required: true, description: 'Key of the other system, such as `shop`.' }),
    value: t.string({ required: true, description: 'Id there.' }),
  }),
});

/**
 * External ids as the CRM takes them: a map from system to id. Null and undefined stay as they are.
 *
 * @param path the path of the list in the input
 * @throws ValidationError when a system occurs twice: a map holds one id for each system
 */
export function externalIdMap(
  entries: readonly ExternalIdEntry[] | null | undefined,
  path = 'externalIds',
): ExternalIds | null | undefined {
  if (!entries) return entries;
  const firstIndexes = new Map(entries.map(({ system }, index) => [system, index] as const).toReversed());
  const repeated = entries.findIndex(({ system }, index) => firstIndexes.get(system) !== index);
  if (repeated !== -1) {
    throw invalidInput(`${path}.${repeated}.system`, 'occurs twice: a record has one id in each system');
  }
  return Object.fromEntries(entries.map(({ system, value }) => [system, value]));
}

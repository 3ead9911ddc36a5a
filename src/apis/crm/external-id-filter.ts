import { type ArgBuilder, builder } from '../../graph/builder.ts';
import { externalIdentifier } from '../../formats/leaves.ts';
import type { Rows } from '../../formats/rows.ts';
import { decodeOrUndefined } from '../../graph/lists/decodable.ts';
import { applyFilters, type Condition } from '../../graph/lists/filters.ts';
import { type ExternalId, externalIdList } from './wire.ts';

type WantedId = typeof ExternalIdFilter.$inferInput;

export const ExternalIdFilter = builder.inputType('ExternalIdFilter', {
  description: 'An id in another system.',
  fields: (t) => ({
    system: t.string({ description: 'Key of the other system, such as `shop`. Any system when it is left out.' }),
    value: t.string({ required: true, description: 'Id there, exactly as it is written.' }),
  }),
});

/** The arguments of a field that finds a record by an id in another system. */
export const externalIdArguments = (arg: ArgBuilder) => ({
  system: arg.string({
    description:
      'Key of the other system, such as `shop`. Needs a list that tells the systems. Without it, `externalId` is compared, too.',
  }),
  value: arg.string({ required: true, description: 'Id there, exactly as it is written.' }),
});

interface WithExternalIds {
  readonly id: string;
  readonly external_ids?: unknown;
  readonly external_id?: unknown;
}

/**
 * Matches records with an id in another system. Without a system, also those whose `external_id` it is: upstream does not
 * tell the system of that one.
 */
export function externalIdFilter<T extends WithExternalIds>(
  wanted: WantedId | null | undefined,
): Condition<T> | undefined {
  if (!wanted) return undefined;
  const { system, value } = wanted;
  const matches = (entry: ExternalId) =>
    entry.value === value && (typeof system !== 'string' || entry.system === system);
  const inMap = ({ external_ids: ids }: T) => {
    const entries = decodeOrUndefined(externalIdList, ids);
    return entries === undefined ? undefined : (entries?.some(matches) ?? false);
  };
  if (typeof system === 'string') return { keys: ['external_ids'], leaf: externalIdList, holds: inMap };
  return {
    keys: ['external_ids', 'external_id'],
    leaf: anyExternalId,
    holds: (record) => {
      const id = decodeOrUndefined(externalIdentifier, record.external_id);
      return id === value || inMap(record) || (id === undefined ? undefined : inMap(record));
    },
  };
}

/** Decodes `external_ids` or `external_id`, whichever it is. */
function anyExternalId(value: unknown): unknown {
  return typeof value === 'object' ? externalIdList(value) : externalIdentifier(value);
}

/**
 * Finds the first record with an id in another system. Not documented (A217): whether it is unique there.
 *
 * @returns null only when the whole list could be searched: the caller may create the record then
 * @throws BadResponseError when the list does not tell the ids in other systems, or a part of it cannot be read
 */
export async function findByExternalId<T extends WithExternalIds>(
  externalId: WantedId,
  list: Rows<T>,
): Promise<T | null> {
  const found = await applyFilters(list, [externalIdFilter<T>(externalId)]);
  const [record] = found;
  if (record) return record;
  const [problem] = found.problems;
  if (problem) throw problem;
  return null;
}

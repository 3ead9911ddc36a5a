import { referredId } from '../graphql/ids.ts';
import { ValidationError } from '../http/errors.ts';
import { sentId } from './wire.ts';

type Id = string | null | undefined;

/**
 * The id of another record as an input sends it: null clears, undefined is not sent.
 *
 * @param field the path of the field in the input
 * @param typename where the record is a type of the graph, so that its global id is taken, too
 */
export function reference(id: Id, field: string, typename?: string): string | number | null | undefined {
  if (id === null || id === undefined) return id;
  if (id.trim() === '') throw new ValidationError(`\`${field}\` is empty: null clears it.`, { [field]: ['is empty'] });
  return sentId(referredId(id, field, typename));
}

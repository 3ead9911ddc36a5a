import { referredId } from '../graphql/ids.ts';
import { invalidInput } from '../http/errors.ts';
import { wireId } from '../http/formats/decode.ts';

type IdInput = string | null | undefined;

/**
 * The id of another record as the CRM takes it. Null clears the reference; undefined is not sent.
 *
 * @param id upstream id, or global id when `typename` is given
 * @param path the path of the field in the input
 * @param typename the GraphQL type of the other record, if it has one
 * @throws ValidationError for an empty id, and for a global id of another type
 */
export function referenceId(id: IdInput, path: string, typename?: string): string | number | null | undefined {
  if (id === null || id === undefined) return id;
  if (id.trim() === '') throw invalidInput(path, 'is empty: null clears it');
  return wireId(referredId(id, path, typename));
}

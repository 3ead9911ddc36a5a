import { invalidInput } from '../../errors.ts';
import type { SearchArguments } from './search-input.ts';
import { readableTables, RECORD_KEYS } from './wire.ts';

/** An error lists this many known names at most. */
const MAX_NAMES = 20;

/**
 * Checks that the definition of a database has all fields that a search names: upstream finds nothing, or ignores the
 * order, for any other name.
 *
 * @param schema the schema of the database; undefined when it is not known. Without fields in it, all names pass.
 * @param fields the names of the fields to return; null for all
 * @throws ValidationError for the first name that the definition lacks. It lists the names that the definition has.
 */
export function assertDefinedFields(search: SearchArguments, fields: readonly string[] | null, schema: unknown): void {
  const defined = definedFields(schema, search.table);
  if (!defined || search.allowUndefinedFields) return;
  const refuseUnknown = (path: string, name: string, more: readonly string[] = []) => {
    const known = [...defined, ...more];
    if (!known.includes(name)) throw invalidInput(path, `names no field of the definition, which has ${listed(known)}`);
  };
  for (const [index, { field }] of (search.filter ?? []).entries()) refuseUnknown(`filter.${index}.field`, field);
  for (const [index, name] of (search.in ?? []).entries()) refuseUnknown(`in.${index}`, name);
  if (search.sort) refuseUnknown('sort.field', search.sort.field, RECORD_KEYS);
  for (const name of fields ?? []) refuseUnknown('fields', name, RECORD_KEYS);
}

/** Whether a search names fields that `assertDefinedFields` can check. */
export function namesFields(search: SearchArguments, fields: readonly string[] | null): boolean {
  if (search.allowUndefinedFields) return false;
  return [search.filter, search.in, fields].some((names) => names && names.length > 0) || Boolean(search.sort);
}

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** The names of the fields of a table; null when they are not known, or none is defined. */
function definedFields(schema: unknown, table: string | null | undefined): readonly string[] | null {
  const tables = readableTables(schema);
  const searched = tables?.find(({ name }) => name === null || name === table);
  const names = searched ? Object.keys(searched.fields) : [];
  return names.length > 0 ? names : null;
}

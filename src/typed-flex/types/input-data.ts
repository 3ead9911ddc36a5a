import { invalidInput, mapFieldPaths } from '../../http/errors.ts';
import { isObject, type JsonObject } from '../../http/formats/decode.ts';
import { toWire } from './field-input.ts';
import type { ValuesByType } from './field-values.ts';
import { fieldsByKey, fieldsByName, type WithFields } from './table-fields.ts';

/**
 * Creates the function that turns an input into data for upstream. Fields that are left out have no key there. It throws a
 * ValidationError for a key of `extra` that has a field, or that is not taken.
 *
 * @param type of the records, with the fields that the input has
 * @param isTaken says whether upstream takes a key that has no field
 */
export function dataWriter(
  type: WithFields,
  values: ValuesByType,
  isTaken: (key: string) => boolean = () => true,
): (input: JsonObject) => JsonObject {
  return ({ extra, ...given }) => {
    const data = new Map(Object.entries(isObject(extra) ? extra : {}));
    for (const key of data.keys()) {
      const field = fieldsByKey(type).get(key);
      if (field) throw invalidInput(`extra.${key}`, `has a field of its own: \`${field.graphqlName}\``);
      if (!isTaken(key))
        throw invalidInput(`extra.${key}`, 'is a key that upstream does not take: it would be dropped');
    }
    for (const [fieldName, value] of Object.entries(given)) {
      const field = fieldsByName(type).get(fieldName);
      if (!field || value === undefined) continue;
      data.set(field.name, toWire(field, value, { values, path: fieldName }));
    }
    return Object.fromEntries(data);
  };
}

/**
 * For `.catch` of a write: maps the field names of upstream's messages to paths of the input. Upstream may name a field of the
 * data with or without `data.`. A message about the whole record is one of `input`.
 *
 * @param takesExtra whether the input has `extra`
 */
export function mapToInputPaths(type: WithFields, takesExtra = true) {
  return mapFieldPaths((path) => {
    const key = path.replace(/^data\./, '');
    const field = fieldsByKey(type).get(path) ?? fieldsByKey(type).get(key);
    if (field) return field.graphqlName;
    if (['', 'data', 'table_name'].includes(path)) return 'input';
    return takesExtra ? `extra.${key}` : key;
  });
}

import type { Json, JsonObject } from './clients.ts';

/** Removes the `__typename`s that one cache adds and another hides. */
export function plain(data: Json): Json {
  if (isList(data)) return data.map(plain);
  if (!isObject(data)) return data;
  const fields = Object.entries(data).filter(([name]) => name !== '__typename');
  return Object.fromEntries(fields.map(([name, value]) => [name, plain(value)]));
}

/** Replaces the fields of each record that `written` has, too: the records are told by their ids. */
export function overlay(data: Json, written: Json): Json {
  const records = recordsIn(written);
  const apply = (value: Json): Json => {
    if (isList(value)) return value.map(apply);
    if (!isObject(value)) return value;
    const changed = records.get(value['id']) ?? {};
    const fields = Object.entries(value).map(([name, old]) => {
      const now = changed[name];
      return [name, apply(now === undefined ? old : now)];
    });
    return Object.fromEntries(fields);
  };
  return apply(data);
}

/** The records by their ids, each with the fields of all of its places. */
function recordsIn(data: Json, found = new Map<Json | undefined, JsonObject>()) {
  if (isList(data)) for (const item of data) recordsIn(item, found);
  if (!isObject(data)) return found;
  const { id } = data;
  if (id !== undefined) found.set(id, { ...found.get(id), ...data });
  for (const value of Object.values(data)) recordsIn(value, found);
  return found;
}

function isList(data: Json | undefined): data is readonly Json[] {
  return Array.isArray(data);
}

function isObject(data: Json | undefined): data is JsonObject {
  return typeof data === 'object' && data !== null && !isList(data);
}

import { invalid } from '../responses.ts';
import { getOwn, type JsonObject } from '../json-object.ts';
import { stringifyJson } from '../json-text.ts';
import { convertTo } from '../field-types.ts';
import { type IndexColumn, toIndexedValue } from './index-columns.ts';
import { createMatcher, hasWildcard, searchableTexts } from './patterns.ts';
import type { Table } from './schemas.ts';

/** A condition of a search. SQLite checks `column` and `jsonSubstrings` first, so that fewer records have to be parsed. */
export interface Condition {
  /** The required value of an index column. */
  readonly column?: { readonly name: IndexColumn; readonly value: string | number | bigint };
  /** Substrings, one of which the stored JSON text must contain. */
  readonly jsonSubstrings?: readonly string[];
  /** Checks the parsed data; absent when the index column is exact. */
  readonly matches?: (data: JsonObject) => boolean;
}

/** A condition that the parsed data alone decides. */
export type DataCondition = Condition & Required<Pick<Condition, 'matches'>>;

/**
 * `filter[<field>]`. Not documented (A99): what does not convert to the type of its field is 422, and a field
 * that the schema does not know is compared as text, as all fields are without a schema.
 */
export function filterCondition(table: Table | null, field: string, value: string): Condition {
  if (hasWildcard(value)) {
    const matches = createMatcher(value);
    return { matches: (data) => searchableTexts(getOwn(data, field)).some(matches) };
  }
  const type = table?.fields.get(field)?.type;
  if (!type) return textCondition(field, value);
  const wanted = convertTo(type, value);
  if (wanted === undefined || wanted === null) throw invalid({ [`filter[${field}]`]: [`is not of type ${type}`] });

  const matches = (data: JsonObject) => getOwn(data, field) === wanted;
  const column = table.columns.get(field);
  if (!column) return { jsonSubstrings: [jsonMember(field, wanted)], matches };
  const held = toIndexedValue(type, wanted);
  if (held.value === null) return { jsonSubstrings: [jsonMember(field, wanted)], matches };
  const condition: Condition = { column: { name: column, value: held.value } };
  return held.isExact ? condition : { ...condition, matches };
}

/** Matches a field that equals this text, or a number or boolean written like it. */
export function textCondition(field: string, text: string): DataCondition {
  return {
    jsonSubstrings: [jsonMember(field, text), `${JSON.stringify(field)}:${text}`],
    matches: (data) => {
      const value = getOwn(data, field);
      return value !== undefined && typeof value !== 'object' && String(value) === text;
    },
  };
}

/** `q`: matches a phrase in these fields, or in all of `data` when they are null. */
export function phraseCondition(fields: readonly string[] | null, phrase: string): Condition {
  const matches = createMatcher(phrase);
  const seen = (data: JsonObject) => (fields ? fields.map((field) => getOwn(data, field)) : Object.values(data));
  return { matches: (data) => seen(data).some((value) => searchableTexts(value).some(matches)) };
}

/** A field as `JSON.stringify` writes it into the stored text. */
function jsonMember(field: string, value: unknown): string {
  return `${JSON.stringify(field)}:${stringifyJson(value)}`;
}

import { invalid } from '../responses.ts';
import { getOwn, type JsonObject } from '../json-object.ts';
import { convertTo } from '../field-types.ts';
import { type IndexColumn, indexed } from './index-columns.ts';
import { isPattern, matcher, texts } from './patterns.ts';
import type { Table } from './schemas.ts';

/** What a record must fulfil to be found. What SQLite can tell narrows the records that have to be read. */
export interface Condition {
  /** What an index column must hold. */
  readonly column?: { readonly name: IndexColumn; readonly value: string | number };
  /** Texts of which the stored JSON must contain one. */
  readonly contained?: readonly string[];
  /** What must hold besides; absent where the index column tells all. */
  readonly holds?: (data: JsonObject) => boolean;
}

/** A condition that can be told from the data alone. */
export type Checked = Condition & Required<Pick<Condition, 'holds'>>;

/**
 * `filter[<field>]`. Not documented: what does not convert to the type of its field is 422, and a field
 * that the schema does not know is compared as text, as all fields are without a schema.
 */
export function filtered(table: Table | null, field: string, value: string): Condition {
  if (isPattern(value)) {
    const matches = matcher(value);
    return { holds: (data) => texts(getOwn(data, field)).some(matches) };
  }
  const type = table?.fields.get(field)?.type;
  if (!type) return sameText(field, value);
  const wanted = convertTo(type, value);
  if (wanted === undefined || wanted === null) throw invalid({ [`filter[${field}]`]: [`is not of type ${type}`] });

  const holds = (data: JsonObject) => getOwn(data, field) === wanted;
  const column = table.columns.get(field);
  if (!column) return { contained: [member(field, wanted)], holds };
  const held = indexed(type, wanted);
  if (held.value === null) return { contained: [member(field, wanted)], holds };
  const condition: Condition = { column: { name: column, value: held.value } };
  return held.whole ? condition : { ...condition, holds };
}

/** A field that is this text, or the number or boolean that is written like it. */
export function sameText(field: string, text: string): Checked {
  return {
    contained: [member(field, text), `${JSON.stringify(field)}:${text}`],
    holds: (data) => {
      const value = getOwn(data, field);
      return (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value) === text;
    },
  };
}

/** `q`, in these fields or in all of `data`. */
export function phraseIn(fields: readonly string[] | null, phrase: string): Condition {
  const matches = matcher(phrase);
  const seen = (data: JsonObject) => (fields ? fields.map((field) => getOwn(data, field)) : Object.values(data));
  return { holds: (data) => seen(data).some((value) => texts(value).some(matches)) };
}

/** A field as the stored text of the record has it. */
function member(field: string, value: unknown): string {
  return `${JSON.stringify(field)}:${JSON.stringify(value)}`;
}

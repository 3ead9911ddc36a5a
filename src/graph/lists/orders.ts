import { builder } from '../builder.ts';
import { compareDecimals, decimal, identifier, instant, plainDecimal, text } from '../../formats/leaves.ts';
import { invalidInput } from '../../errors.ts';
import { wireValues } from '../enums.ts';
import type { Rows } from '../../formats/rows.ts';
import type { Steps } from '../../formats/slices.ts';
import { checkingDecodable, type Leaf, decodeOrNull } from './decodable.ts';
import { sorting } from './sorting.ts';

/** How the values of a key are compared. */
type Kind = 'text' | 'numberOrText' | 'instant' | 'decimal' | 'id';

/** The keys by which a list can be ordered. */
export type Orderings<Key extends string> = Readonly<Record<Key, { readonly kind: Kind; readonly about: string }>>;

export const SortDirection = builder.enumType('SortDirection', {
  description: 'Ascending or descending.',
  values: {
    ASC: { description: 'The smallest first.' },
    DESC: { description: 'The largest first.' },
  },
});

export interface Order<Key extends string> {
  readonly field: Key;
  readonly direction?: 'ASC' | 'DESC' | null | undefined;
}

/** Creates the input type for the order of a list. */
export function orderInput<Key extends string>(name: string, orderings: Orderings<Key>) {
  const Field = builder.enumType(`${name}Field`, {
    description: 'A field to order by.',
    values: Object.fromEntries(
      wireValues(orderings).map((value) => [value.toUpperCase(), { value, description: orderings[value].about }]),
    ),
  });
  return builder.inputType(name, {
    description: 'An order. Rows without a value come last. Rows with equal values keep the order of upstream.',
    fields: (t) => ({
      field: t.field({ type: Field, required: true, description: 'The field to order by.' }),
      direction: t.field({ type: SortDirection, defaultValue: 'ASC', description: 'Ascending or descending.' }),
    }),
  });
}

/**
 * Checks the orders of a list.
 *
 * @returns the orders; none for null
 * @throws ValidationError for a field that occurs twice: its second order would have no effect
 */
export function checkedOrder<Key extends string>(
  orders: readonly Order<Key>[] | null | undefined,
): readonly Order<Key>[] {
  const fields = new Set<Key>();
  for (const [at, { field }] of (orders ?? []).entries()) {
    if (fields.has(field)) throw invalidInput(`orderBy.${at}.field`, 'occurs twice');
    fields.add(field);
  }
  return orders ?? [];
}

/** The number of rows in one step. */
const STEP_ROWS = 16;

/**
 * Orders records of a list by the first order, equal ones by the second, and so on. Records without a value come last; those
 * that are equal in all orders keep their order.
 *
 * @throws BadResponseError when `list` has no decodable values under a field
 * @yields after each step
 */
export function* ordering<T extends object, Key extends keyof T & string>(
  records: Rows<T>,
  orderings: Orderings<Key>,
  orders: readonly Order<Key>[],
  list: Rows<T>,
): Steps<Rows<T>> {
  if (orders.length === 0 || records.length === 0) return records;
  const compareRows: CompareRows[] = [];
  for (const { field, direction } of orders) {
    const { leaf, comparing } = comparisons[orderings[field].kind];
    yield* checkingDecodable(list, [field], leaf);
    compareRows.push(yield* comparing(records, field, direction === 'DESC' ? -1 : 1));
  }
  const rows = Array.from(records, (record, row) => ({ record, row }));
  const compareAll = compareRows.reduce(
    (compare, compareNext) => (left, right) => compare(left, right) || compareNext(left, right),
  );
  const sorted = yield* sorting(rows, (left, right) => compareAll(left.row, right.row));
  return records.derive(sorted.map(({ record }) => record));
}

/** Compares the values of two rows, by their positions. */
type CompareRows = (left: number, right: number) => number;

/** How the values of a kind are compared. */
interface Comparison {
  readonly leaf: Leaf<unknown>;
  /** Reads the values of records under a field, once, in steps. Returns how rows compare by them. */
  comparing<T extends object>(records: Rows<T>, field: keyof T, sign: number): Steps<CompareRows>;
}

/**
 * Creates the comparison of values.
 *
 * @param keyOf gives what is compared for a value; null for no value
 */
function comparison<V, Key>(
  leaf: Leaf<V>,
  keyOf: (value: V) => Key | null,
  compare: (one: Key, other: Key) => number,
): Comparison {
  return {
    leaf,
    *comparing(records, field, sign) {
      const keys: (Key | null)[] = [];
      for (const record of records) {
        const value = decodeOrNull(leaf, record[field]);
        keys.push(value === null ? null : keyOf(value));
        if (keys.length % STEP_ROWS === 0) yield;
      }
      return (left, right) => {
        const [one, other] = [keys[left] ?? null, keys[right] ?? null];
        if (one === null || other === null) return Number(one === null) - Number(other === null);
        return sign * compare(one, other);
      };
    },
  };
}

const collator = new Intl.Collator('en', { numeric: true });

/** Texts are ordered by so many characters at their beginning (decision 0020): comparing megabytes would take long. */
const MAX_COMPARED = 250;

const beginning = (value: string) => value.slice(0, MAX_COMPARED) || null;

const comparisons: Readonly<Record<Kind, Comparison>> = {
  text: comparison(text, beginning, collator.compare),
  numberOrText: comparison(
    text,
    (value) => (value === '' ? null : { number: plainDecimal(value), text: value.slice(0, MAX_COMPARED) }),
    compareNumbersOrTexts,
  ),
  id: comparison(identifier, beginning, collator.compare),
  decimal: comparison(decimal, (value) => value, compareDecimals),
  instant: comparison(
    instant,
    (value) => value,
    (one, other) => one - other,
  ),
};

/** A text, and the decimal that it is, if any. */
interface NumberOrText {
  readonly number: string | undefined;
  readonly text: string;
}

/** Orders numbers by size, and puts them before other texts. */
function compareNumbersOrTexts(
  { number, text: one }: NumberOrText,
  { number: otherNumber, text: other }: NumberOrText,
) {
  if (number !== undefined && otherNumber !== undefined) return compareDecimals(number, otherNumber);
  if (number === undefined && otherNumber === undefined) return collator.compare(one, other);
  return number === undefined ? 1 : -1;
}

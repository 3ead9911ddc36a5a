import { builder } from '../builder.ts';
import { compareDecimals, decimal, identifier, instant, plainDecimal, text } from '../http/formats/leaves.ts';
import { invalidInput } from '../http/errors.ts';
import { wireValues } from '../graphql/enums.ts';
import { assertDecodable, type Leaf, decodeOrNull } from './decodable.ts';
import { SortDirection } from './sort-direction.ts';

/** How the values of a key are compared. */
type Kind = 'text' | 'numberOrText' | 'instant' | 'decimal' | 'id';

/** The keys by which a list can be ordered. */
export type Orderings<Key extends string> = Readonly<Record<Key, { readonly kind: Kind; readonly about: string }>>;

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

/**
 * Orders records of a list by the first order, equal ones by the second, and so on. Records without a value come last; those
 * that are equal in all orders keep their order.
 *
 * @throws BadResponseError when `list` has no decodable values under a field
 */
export function applyOrder<T extends object, Key extends keyof T & string>(
  records: readonly T[],
  orderings: Orderings<Key>,
  orders: readonly Order<Key>[],
  list: readonly T[],
): readonly T[] {
  if (orders.length === 0 || records.length === 0) return records;
  const columns = orders.map(({ field, direction }) => {
    const { leaf, compare } = comparisons[orderings[field].kind];
    assertDecodable(list, [field], leaf);
    return { field, leaf, compare, sign: direction === 'DESC' ? -1 : 1 };
  });
  const comparisonsByColumn = columns.map(
    ({ compare, sign }, at) =>
      (left: Values, right: Values) =>
        compareOrNull(left[at] ?? null, right[at] ?? null, compare, sign),
  );
  return records
    .map((record) => ({
      record,
      values: columns.map(({ field, leaf }) => decodeOrNull(leaf, record[field]) || null),
    }))
    .sort((left, right) => {
      for (const compare of comparisonsByColumn) {
        const difference = compare(left.values, right.values);
        if (difference !== 0) return difference;
      }
      return 0;
    })
    .map(({ record }) => record);
}

/** Compares two values. Null comes last, whatever the sign of the comparison. */
function compareOrNull(left: string | null, right: string | null, compare: Compare, sign: number): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return sign * compare(left, right);
}

/** The values of a record under each of the fields that it is ordered by. */
type Values = readonly (string | null)[];

type Compare = (one: string, other: string) => number;

const collator = new Intl.Collator('en', { numeric: true });

const comparisons: Readonly<Record<Kind, { leaf: Leaf<string>; compare: Compare }>> = {
  text: { leaf: text, compare: collator.compare },
  numberOrText: { leaf: text, compare: compareNumbersOrTexts },
  id: { leaf: identifier, compare: collator.compare },
  decimal: { leaf: decimal, compare: compareDecimals },
  instant: {
    leaf: (value) => instant(value)?.toString() ?? null,
    compare: (one, other) => Number(one) - Number(other),
  },
};

/** Orders numbers by size, and puts them before other texts. */
function compareNumbersOrTexts(one: string, other: string): number {
  const [number, otherNumber] = [plainDecimal(one), plainDecimal(other)];
  if (number !== undefined && otherNumber !== undefined) return compareDecimals(number, otherNumber);
  if (number === undefined && otherNumber === undefined) return collator.compare(one, other);
  return number === undefined ? 1 : -1;
}

import { builder } from '../builder.ts';
import { compareDecimals, decimal, identifier, instant, plainDecimal, text } from '../http/formats/leaves.ts';
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
 * Orders records of a list. Records without a value come last; equal ones keep their order.
 *
 * @throws BadResponseError when `list` has no decodable values under the field
 */
export function applyOrder<T extends object, Key extends keyof T & string>(
  records: readonly T[],
  orderings: Orderings<Key>,
  order: Order<Key> | null | undefined,
  list: readonly T[],
): readonly T[] {
  if (!order || records.length === 0) return records;
  const { field, direction } = order;
  const sign = direction === 'DESC' ? -1 : 1;
  const { leaf, compare } = comparisons[orderings[field].kind];
  assertDecodable(list, [field], leaf);
  return records
    .map((record) => ({ record, value: decodeOrNull(leaf, record[field]) || null }))
    .sort((left, right) => {
      if (left.value === null || right.value === null)
        return Number(left.value === null) - Number(right.value === null);
      return sign * compare(left.value, right.value);
    })
    .map(({ record }) => record);
}

const collator = new Intl.Collator('en', { numeric: true });

const comparisons: Readonly<Record<Kind, { leaf: Leaf<string>; compare: (one: string, other: string) => number }>> = {
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

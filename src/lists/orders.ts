import { builder } from '../builder.ts';
import { compareDecimals, decimal, identifier, instant, plainDecimal, text } from '../http/formats/leaves.ts';
import { wireValues } from '../graphql/enums.ts';
import { assertDecodable, type Leaf, decodeOrNull } from './decodable.ts';
import { SortDirection } from './sort-direction.ts';

/** How the values of a key compare. */
type Kind = 'text' | 'numberOrText' | 'instant' | 'decimal' | 'id';

/** By which keys a list can be ordered. */
export type Orderings<Key extends string> = Readonly<Record<Key, { readonly kind: Kind; readonly about: string }>>;

export interface Order<Key extends string> {
  readonly field: Key;
  readonly direction?: 'ASC' | 'DESC' | null | undefined;
}

/** The input for an order of a list. */
export function orderInput<Key extends string>(name: string, orderings: Orderings<Key>) {
  const Field = builder.enumType(`${name}Field`, {
    description: 'By what to order.',
    values: Object.fromEntries(
      wireValues(orderings).map((value) => [value.toUpperCase(), { value, description: orderings[value].about }]),
    ),
  });
  return builder.inputType(name, {
    description: 'An order. What has no value comes last, and what is equal stays in the order of upstream.',
    fields: (t) => ({
      field: t.field({ type: Field, required: true, description: 'By what to order.' }),
      direction: t.field({ type: SortDirection, defaultValue: 'ASC', description: 'Which end comes first.' }),
    }),
  });
}

/** Some records of a list in an order; those without a value last, equal ones in the order that they had. */
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
    .sort((one, other) => {
      if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null);
      return sign * compare(one.value, other.value);
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

/** Numbers by their size, before what is none. */
function compareNumbersOrTexts(one: string, other: string): number {
  const [number, otherNumber] = [plainDecimal(one), plainDecimal(other)];
  if (number !== undefined && otherNumber !== undefined) return compareDecimals(number, otherNumber);
  if (number === undefined && otherNumber === undefined) return collator.compare(one, other);
  return number === undefined ? 1 : -1;
}

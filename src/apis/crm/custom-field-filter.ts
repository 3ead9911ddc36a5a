import { builder } from '../../graph/builder.ts';
import { invalidInput } from '../../errors.ts';
import { instant } from '../../formats/leaves.ts';
import { booleanFilter, type Condition, decimalRange, instantRange, nullFilters } from '../../graph/lists/filters.ts';
import { textFilter, textInFilter } from '../../graph/lists/text-filters.ts';
import { ClientCustomFieldKey, customFields } from './custom-fields.ts';
import type { CustomFieldKey, CustomFieldKind } from './keys.ts';
import type { ClientRecord } from './wire.ts';

export const ClientCustomFieldFilter = builder.inputType('ClientCustomFieldFilter', {
  description: 'Conditions on an additional field of a client. All must hold.',
  fields: (t) => ({
    key: t.field({ type: ClientCustomFieldKey, required: true, description: 'The field.' }),
    in: t.stringList({ description: 'The text is one of these. Case and accents do not matter.' }),
    text: t.string({
      description: 'This text is in the text. Case and accents do not matter. At most 200 characters.',
    }),
    checked: t.boolean({ description: 'True keeps clients with a checked box; false keeps all others.' }),
    min: t.field({ type: 'Decimal', description: 'The smallest number.' }),
    max: t.field({ type: 'Decimal', description: 'The largest number.' }),
    from: t.field({ type: 'DateTime', description: 'The earliest date or instant. A date is its midnight in UTC.' }),
    to: t.field({ type: 'DateTime', description: 'The instant before which the date or instant is.' }),
    isNull: t.boolean({ description: 'True keeps clients without a value; false keeps clients with one.' }),
  }),
});

type FieldFilter = typeof ClientCustomFieldFilter.$inferInput;

const inText = ['in', 'text'] as const;
const inNumber = ['min', 'max'] as const;
const inTime = ['from', 'to'] as const;

/** The conditions that fields of each kind can have, beside `isNull`. */
const conditionsByKind: Readonly<Record<CustomFieldKind, readonly (keyof FieldFilter)[]>> = {
  string: inText,
  text: inText,
  integer: inNumber,
  decimal: inNumber,
  checkbox: ['checked'],
  date: inTime,
  datetime: inTime,
};

const fieldsByKey = new Map(customFields.map((field) => [field.key, field]));

/**
 * Creates the conditions on additional fields.
 *
 * @param path the path of the list in the arguments, for errors
 * @throws ValidationError for a field that occurs twice, and for a condition that fields of its kind cannot have
 */
export function customFieldConditions(
  filters: readonly FieldFilter[] | null | undefined,
  path: string,
): (Condition<ClientRecord> | undefined)[] {
  const keys = new Set<CustomFieldKey>();
  return (filters ?? []).flatMap((filter, at) => {
    if (keys.has(filter.key)) throw invalidInput(`${path}.${at}.key`, 'occurs twice');
    keys.add(filter.key);
    assertFits(filter, `${path}.${at}`);
    return fieldConditions(filter, `${path}.${at}`);
  });
}

function assertFits({ key, isNull: _isNull, ...conditions }: FieldFilter, path: string): void {
  const kind = fieldsByKey.get(key)?.kind;
  const possible = new Set<string>(kind ? conditionsByKind[kind] : []);
  const given = Object.entries(conditions).filter(([, value]) => value !== null && value !== undefined);
  const [misfit] = given.find(([name]) => !possible.has(name)) ?? [];
  if (misfit !== undefined) throw invalidInput(`${path}.${misfit}`, `is no condition on a field such as \`${key}\``);
}

function fieldConditions(filter: FieldFilter, path: string) {
  const { key, in: values, text, checked, min, max, from, to, isNull } = filter;
  const leaf = fieldsByKey.get(key)?.kind === 'date' ? midnight : instant;
  return [
    textInFilter<ClientRecord>(values, [key]),
    textFilter<ClientRecord>(text, `${path}.text`, [key]),
    booleanFilter<ClientRecord>(checked, key),
    min || max ? decimalRange<ClientRecord>({ min, max }, key) : undefined,
    from || to ? instantRange<ClientRecord>({ from, to }, key, leaf) : undefined,
    ...(typeof isNull === 'boolean' ? nullFilters<ClientRecord>([key], isNull) : []),
  ];
}

/** Decodes a date as the instant of its midnight in UTC. */
function midnight(value: unknown): number | null {
  return instant(typeof value === 'string' && value.length === 'yyyy-mm-dd'.length ? `${value}T00:00:00Z` : value);
}

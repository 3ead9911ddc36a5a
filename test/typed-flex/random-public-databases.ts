import { dice } from '../support/dice.ts';

// Random definitions with random public methods. Each name is a word of its own, so that it can be looked for in a text.

const OPERATIONS = ['list', 'get', 'search', 'create', 'update', 'delete'] as const;
const TYPES = ['string', 'text', 'integer', 'number', 'boolean', 'datetime', 'date', 'time', 'geo'] as const;
const PARAMETERS = ['q', 'sort', 'limit', 'offset', 'table_name'] as const;

export interface MethodOptions {
  readonly allowed_fields?: string[];
  readonly required_fields?: string[];
  readonly default_values?: Record<string, string>;
  readonly auto_fields?: Record<string, string>;
  readonly allowed_params?: string[];
  readonly scope_by?: string;
}

export interface PublicDatabase {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly schema:
    | { readonly fields: Fields }
    | { readonly tables: Readonly<Record<string, { readonly fields: Fields }>> };
  readonly public_methods: Readonly<Partial<Record<(typeof OPERATIONS)[number], boolean | null | MethodOptions>>>;
  /** The names of its tables. */
  readonly tables: readonly string[];
  /** The keys of the data that its tables define. */
  readonly fields: readonly string[];
}

type Fields = Readonly<Record<string, string | { readonly type: string; readonly required: boolean }>>;

/** Databases of one account, some with public methods. The same seed makes the same ones. */
export function randomPublicDatabases(seed: number): PublicDatabase[] {
  const { roll, pick } = dice(seed);
  let words = 0;
  const word = (kind: string) => `${kind}${seed}x${(words += 1)}`;
  const some = (names: readonly string[]) => names.filter(() => roll(2) === 0);
  const fieldsOf = (names: readonly string[]): Fields =>
    Object.fromEntries(
      names.map((name) => [name, roll(3) === 0 ? { type: pick(...TYPES), required: roll(2) === 0 } : pick(...TYPES)]),
    );

  const optionsFor = (names: readonly string[]): MethodOptions => ({
    ...(roll(2) === 0 && { allowed_fields: [...some(names), ...(roll(3) === 0 ? [word('other')] : [])] }),
    ...(roll(2) === 0 && { required_fields: some(names) }),
    ...(roll(2) === 0 && { default_values: Object.fromEntries(some(names).map((name) => [name, word('default')])) }),
    ...(roll(2) === 0 && { auto_fields: Object.fromEntries(some(names).map((name) => [name, '{cookie_key}'])) }),
    ...(roll(2) === 0 && { allowed_params: some(PARAMETERS) }),
    ...(roll(4) === 0 && { scope_by: pick('scope', ...names) }),
  });

  return Array.from({ length: 1 + roll(3) }, () => {
    const names = Array.from({ length: 1 + roll(6) }, () => word('field'));
    const tables = roll(2) === 0 ? [] : Array.from({ length: 1 + roll(3) }, () => word('table'));
    const inTables = Object.fromEntries(tables.map((table) => [table, { fields: fieldsOf(some(names)) }]));
    const fields = tables.length > 0 ? names.filter((name) => isIn(name, inTables)) : names;
    const methods = OPERATIONS.filter(() => roll(3) === 0).map((operation) => [
      operation,
      pick<boolean | null | MethodOptions>(true, false, null, optionsFor(fields), optionsFor(fields)),
    ]);
    return {
      id: word('id'),
      name: word('name'),
      code: word('code'),
      schema: tables.length > 0 ? { tables: inTables } : { fields: fieldsOf(names) },
      public_methods: Object.fromEntries(methods),
      tables,
      fields,
    };
  });
}

function isIn(name: string, tables: Readonly<Record<string, { readonly fields: Fields }>>): boolean {
  return Object.values(tables).some(({ fields }) => Object.hasOwn(fields, name));
}

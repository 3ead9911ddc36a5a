import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { hostileText } from './hostile-texts.ts';
import type { Tape } from './tape.ts';

/** An enum value, which is written without quotes in a document. */
class Name {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  toJSON(): string {
    return this.name;
  }
}

/** Writes arguments, most of the right type. Some of them become variables. */
export class Values {
  /** The values of the variables that the arguments refer to. */
  readonly variables: Record<string, unknown> = {};
  readonly #tape: Tape;
  readonly #ids: readonly string[];
  readonly #declarations: string[] = [];

  constructor(tape: Tape, ids: readonly string[]) {
    this.#tape = tape;
    this.#ids = ids;
  }

  /** The value of an argument, or its variable. */
  argument(type: GraphQLInputType): string {
    const value = this.#value(type, 0);
    if (!this.#tape.once(4)) return literal(value);
    const name = `v${this.#declarations.length}`;
    this.#declarations.push(`$${name}: ${String(type)}`);
    this.variables[name] = value;
    return `$${name}`;
  }

  /** The declarations of all variables, in parentheses. */
  declarations(): string {
    return this.#declarations.length === 0 ? '' : `(${this.#declarations.join(', ')})`;
  }

  #value(type: GraphQLInputType, depth: number): unknown {
    if (isNonNullType(type)) return this.#tape.once(120) ? null : this.#value(type.ofType, depth);
    if (this.#tape.once(50)) return this.#anything();
    if (isListType(type)) return Array.from({ length: this.#tape.roll(4) }, () => this.#value(type.ofType, depth));
    if (isEnumType(type)) {
      const values = type.getValues();
      return new Name(values[this.#tape.roll(values.length)]?.name ?? 'NONE');
    }
    return isInputObjectType(type) ? this.#object(type, depth) : this.#scalar(type.name);
  }

  #object(type: GraphQLInputObjectType, depth: number): Record<string, unknown> {
    const fields = Object.values(type.getFields());
    const chosen = type.isOneOf && fields.length > 0 ? fields[this.#tape.roll(fields.length)] : undefined;
    const given = chosen
      ? [chosen]
      : fields.filter((field) => isRequiredInputField(field) || (depth < 3 && this.#tape.once(6)));
    return Object.fromEntries(given.map((field) => [field.name, this.#value(field.type, depth + 1)]));
  }

  #scalar(name: string): unknown {
    const tape = this.#tape;
    switch (name) {
      case 'Boolean':
        return tape.once(2);
      case 'Int':
      case 'SafeInt':
        return tape.pick([1, 0, 2, 3, 50, -1, 1_000, 2_147_483_647, 2_147_483_648, 1.5]);
      case 'Float':
      case 'Decimal':
        return tape.pick<unknown>([1, 0.1, -1e300, '12.50', 'NaN', 1e21]);
      case 'ID':
        return tape.roll(4) < 3 ? this.#id() : hostileText(tape);
      case 'Date':
      case 'DateTime':
      case 'DateOrDateTime':
        return tape.pick([
          '2026-03-01',
          '2026-03-01T10:00:00Z',
          '2026-02-30',
          '10000-01-01',
          '2026-03-01T10:00:00+02:00',
          '',
        ]);
      case 'JSON':
      case 'JSONObject':
        return this.#json(0);
      default:
        return tape.once(3) ? hostileText(tape) : tape.pick(['a', 'shop', 'Ideas', 'name', 'long-enough']);
    }
  }

  #id(): string {
    return this.#ids[this.#tape.roll(this.#ids.length)] ?? '1';
  }

  #json(depth: number): unknown {
    const tape = this.#tape;
    if (depth > 3) return null;
    const kind = tape.roll(6);
    if (kind === 0) return { note: hostileText(tape) };
    if (kind === 1) return { a: this.#json(depth + 1), b: [this.#json(depth + 1)] };
    if (kind === 2) return { op: tape.pick(['eq', 'like', 'in', 'x']), value: this.#json(depth + 1), toString: 1 };
    if (kind === 3) return [hostileText(tape), 1, null];
    return tape.pick<unknown>(['x', 1, true, null, 1e300, '', {}, []]);
  }

  /** A value of any type: a wrong one as a rule. */
  #anything(): unknown {
    return this.#tape.pick<() => unknown>([
      () => null,
      () => hostileText(this.#tape),
      () => this.#tape.pick([1, -1, 0.5, 1e300, 9_007_199_254_740_992]),
      () => true,
      () => [],
      () => ({}),
      () => [[null]],
      () => ({ constructor: { prototype: 1 } }),
      () => new Name('NO_SUCH_VALUE'),
    ])();
  }
}

/** A value as it is written in a document. */
function literal(value: unknown): string {
  if (value instanceof Name) return value.name;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return JSON.stringify(Buffer.from(value).toString()); // GraphQL has no half of a pair
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, part]) => `${name}: ${literal(part)}`)
    .join(', ')} }`;
}

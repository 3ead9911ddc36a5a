import type { Values } from '../../execution/input-coercion.ts';

/** A number that a document determines, or a function where it depends on the variables of a request. */
export type Amount = number | ((request: RequestValues) => number);

/** The variables of a request, as it sent them, and the amounts of fragments that are known for them. */
export interface RequestValues {
  readonly variables: Values;
  readonly fragments: Map<object, number>;
}

/** The number for a request. */
export function numberOf(amount: Amount, request: RequestValues): number {
  return typeof amount === 'number' ? amount : amount(request);
}

/** Adds amounts. Numbers beyond Number.MAX_SAFE_INTEGER become that one. */
export function sum(amounts: readonly Amount[]): Amount {
  let constant = 0;
  const others: Exclude<Amount, number>[] = [];
  for (const amount of amounts) {
    if (typeof amount === 'number') constant = saturated(constant + amount);
    else others.push(amount);
  }
  const [only] = others;
  if (!only) return constant;
  if (others.length === 1 && constant === 0) return only;
  return (request) => others.reduce((total, amount) => saturated(total + amount(request)), constant);
}

/** Multiplies amounts. Numbers beyond Number.MAX_SAFE_INTEGER become that one. */
export function product(left: Amount, right: Amount): Amount {
  if (left === 0 || right === 0) return 0;
  if (left === 1) return right;
  if (right === 1) return left;
  if (typeof left === 'number' && typeof right === 'number') return saturated(left * right);
  return (request) => saturated(numberOf(left, request) * numberOf(right, request));
}

/** Computes an amount once for a request, however often it is asked for. */
export function oncePerRequest(amount: Amount): Amount {
  if (typeof amount === 'number') return amount;
  return (request) => {
    const known = request.fragments.get(amount);
    if (known !== undefined) return known;
    const computed = amount(request);
    request.fragments.set(amount, computed);
    return computed;
  };
}

function saturated(value: number): number {
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}

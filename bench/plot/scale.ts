/** Maps values to positions between 0 and 1, and names the ticks of an axis. */
export interface Scale {
  readonly ticks: readonly number[];
  /** 0 at the start of the axis, 1 at its end. */
  readonly position: (value: number) => number;
}

export interface ScaleOptions {
  readonly log?: boolean;
  /** The ticks to draw, ascending. The axis covers them and the values. Default: round numbers. */
  readonly ticks?: readonly number[];
}

const STEPS = [1, 2, 5, 10];
/** From this many decades on, a log axis has ticks at the powers of ten alone. */
const MANY_DECADES = 3;
const LINEAR_TICKS = 6;

/**
 * A scale that holds all `values`: linear from zero (or from the least value below zero), or logarithmic.
 *
 * @throws RangeError when there is no finite value, or a log axis meets one that is not above zero
 */
export function scaleOf(values: readonly number[], { log = false, ticks }: ScaleOptions): Scale {
  const shown = [...values, ...(ticks ?? [])];
  if (shown.length === 0 || !shown.every(Number.isFinite)) throw new RangeError('An axis needs finite values.');
  return log ? logScale(shown, ticks) : linearScale(shown, ticks);
}

function linearScale(values: readonly number[], given?: readonly number[]): Scale {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values) || 1;
  const step = roundStep((most - least) / LINEAR_TICKS);
  const first = Math.floor(least / step);
  const last = Math.ceil(most / step);
  const ticks = given ?? Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { ticks, position: (value) => (value - first * step) / ((last - first) * step) };
}

function logScale(values: readonly number[], given?: readonly number[]): Scale {
  const least = Math.min(...values);
  const most = Math.max(...values);
  if (least <= 0) throw new RangeError('A log axis needs values above zero.');
  const lowest = given ? least : roundDown(least);
  const highest = Math.max(given ? most : roundUp(most), lowest * 2);
  const [from, to] = [Math.log10(lowest), Math.log10(highest)];
  return {
    ticks: given ?? logTicks(lowest, highest),
    position: (value) => (Math.log10(value) - from) / (to - from),
  };
}

/** The round numbers from `lowest` to `highest`: 1, 2 and 5 of each decade, or 1 alone where there are many. */
function logTicks(lowest: number, highest: number): number[] {
  const first = Math.floor(Math.log10(lowest));
  const decades = Math.ceil(Math.log10(highest)) - first;
  const digits = decades > MANY_DECADES ? [1] : [1, 2, 5];
  const all = Array.from({ length: decades + 1 }, (_, index) => digits.map((digit) => digit * 10 ** (first + index)));
  return all.flat().filter((tick) => tick >= lowest * 0.999 && tick <= highest * 1.001);
}

/** The least of 1, 2, 5 times a power of ten that is not below `rough`. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return (STEPS.find((step) => step * power >= rough * 0.999) ?? 10) * power;
}

const roundUp = roundStep;

function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.findLast((step) => step * power <= value * 1.001) ?? 1) * power;
}

/** A number as an axis shows it: at most three digits that matter, thousands apart, no trailing zeros. */
export function tickText(value: number): string {
  if (value === 0) return '0';
  const digits = Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

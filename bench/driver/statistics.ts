/** The value below which this share of the values lies (nearest rank); NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle value; the lower one of two; NaN for none. Values that were not measured (NaN) are left out. */
export const median = (values: readonly number[]) => quantile(values.filter(Number.isFinite), 0.5);

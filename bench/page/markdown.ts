/** A table of Markdown; the first column is text, the others are figures. The formatter pads it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A figure with three digits that matter, or as many as stand before the point; a dash for one not measured. */
export function number(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '-';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toLocaleString('en', {
    minimumFractionDigits: Math.min(digits, 3),
    maximumFractionDigits: Math.min(digits, 3),
  });
}

/** A whole number; a dash for one not measured. */
export const whole = (value: number) => (Number.isFinite(value) ? Math.round(value).toLocaleString('en') : '-');

export const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

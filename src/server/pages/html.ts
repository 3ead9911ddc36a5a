import { createHash } from 'node:crypto';

/** Text that is HTML already: `html` does not escape it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[];

/** A template of HTML. Escapes each value but those that are HTML. */
export function html(texts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const [first = '', ...others] = texts;
  return new Html(others.reduce((before, text, index) => before + rendered(values[index]) + text, first));
}

function rendered(value: Value = ''): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('\n');
  return escapeHtml(String(value));
}

/** Escapes a text for the content of an element and for a quoted attribute. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Allows a page nothing, not even to be shown in the frame of another page. */
export const NOTHING =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Names an inline script or style in a `Content-Security-Policy`. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

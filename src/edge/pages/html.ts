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

/** Data for the scripts of a page: an element that browsers do not run. */
export function data(id: string, value: object): Html {
  return new Html(
    `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', String.raw`\u003c`)}</script>`,
  );
}

const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0550ae"/><path d="M3 4h10v2H9v7H7V6H3z" fill="#fff"/></svg>';

/** A letter t on a square: an address in a page, so that a browser asks for no /favicon.ico. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}`;

/** The folder of our own scripts and styles, also beside the bundle. */
export const CLIENT = new URL('./client/', import.meta.url);

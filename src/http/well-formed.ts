// Whether a text is XML. The parser takes much that is not, and reads something into it.

/** XML 1.0 has no way to write these. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
export const UNFIT = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

const name = String.raw`[\p{L}_:][\p{L}\p{M}\p{N}_:.\-]*`;
const space = String.raw`[ \t\r\n]`;
const attribute = String.raw`${space}+(${name})${space}*=${space}*(?:"[^<"]*"|'[^<']*')`;
const ATTRIBUTES = new RegExp(attribute, 'gu');

const DECLARATION = new RegExp(
  `^<\\?xml${space}+version${space}*=${space}*(?:"1\\.\\d+"|'1\\.\\d+')` +
    `(?:${space}+encoding${space}*=${space}*(?:"[\\w.-]+"|'[\\w.-]+'))?` +
    `(?:${space}+standalone${space}*=${space}*(?:"(?:yes|no)"|'(?:yes|no)'))?${space}*\\?>`,
);

/** What a document is made of, piece by piece. There is no DOCTYPE among them. */
const PIECES = new RegExp(
  [
    '(?<text>[^<]+)',
    `<(?<opened>${name})(?<attributes>(?:${attribute})*)${space}*(?<empty>/?)>`,
    `</(?<closed>${name})${space}*>`,
    String.raw`(?<cdata><!\[CDATA\[)[^]*?\]\]>`,
    '<!--(?<comment>[^]*?)-->',
    String.raw`<\?(?<instruction>${name})(?:${space}[^]*?)?\?>`,
  ].join('|'),
  'guy',
);

type Piece = Readonly<Partial<Record<string, string>>>;

/** How far a text is XML: `whole`, or up to what begins with `rest`. */
export function wellFormed(text: string): { readonly whole: boolean; readonly rest: string } {
  if (UNFIT.test(text) || !text.isWellFormed()) return { whole: false, rest: '' };
  const document = text.replace(DECLARATION, '');
  const open: string[] = [];
  let roots = 0;
  let read = 0;
  for (const { 0: source, groups: piece = {} } of document.matchAll(PIECES)) {
    if (open.length === 0 && piece['opened'] !== undefined) roots += 1;
    if (!fits(piece, open)) return { whole: false, rest: '' };
    read += source.length;
  }
  const rest = document.slice(read);
  return { whole: rest === '' && roots === 1 && open.length === 0, rest };
}

/** Whether a piece may stand where it does. Keeps account of the elements that are open. */
function fits({ text, opened, attributes = '', empty, closed, cdata, comment, instruction }: Piece, open: string[]) {
  if (text !== undefined) return open.length > 0 ? !text.includes(']]>') : isBlank(text);
  if (cdata !== undefined) return open.length > 0;
  if (comment !== undefined) return !`${comment}-`.includes('--');
  if (instruction !== undefined) return !/^xml$/i.test(instruction);
  if (closed !== undefined) return open.pop() === closed;
  if (opened !== undefined && empty === '') open.push(opened);
  const names = Array.from(attributes.matchAll(ATTRIBUTES), ([, key]) => key);
  return new Set(names).size === names.length;
}

/** Whether a text is white space, as XML knows it. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

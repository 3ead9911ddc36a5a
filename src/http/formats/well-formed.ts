// Whether a text is XML. The parser takes much that is not, and reads something into it.

/** XML 1.0 has no way to write these. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
export const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

const name = String.raw`[\p{L}_:][\p{L}\p{M}\p{N}_:.\-]*`;
const space = String.raw`[ \t\r\n]`;
const value = `${space}*=${space}*(?:"[^<"]*"|'[^<']*')`;
/** One attribute behind the other, from the start on: sticky, so that each character is read once. */
const ATTRIBUTES = new RegExp(`${space}+(${name})${value}`, 'guy');

const DECLARATION = new RegExp(
  `^<\\?xml${space}+version${space}*=${space}*(?:"1\\.\\d+"|'1\\.\\d+')` +
    `(?:${space}+encoding${space}*=${space}*(?:"[\\w.-]+"|'[\\w.-]+'))?` +
    `(?:${space}+standalone${space}*=${space}*(?:"(?:yes|no)"|'(?:yes|no)'))?${space}*\\?>`,
);

/**
 * What a document is made of, piece by piece. There is no DOCTYPE among them. Its groups have numbers, for an object of
 * named ones would be made per piece.
 */
const PIECES = new RegExp(
  [
    '([^<]+)',
    `<(${name})((?:${space}+${name}${value})*)${space}*(/?)>`,
    `</(${name})${space}*>`,
    String.raw`(<!\[CDATA\[)[^]*?\]\]>`,
    '<!--([^]*?)-->',
    String.raw`<\?(${name})(?:${space}[^]*?)?\?>`,
  ].join('|'),
  'uy',
);

/** How far a text is XML: `whole`, or up to what begins with `rest`. */
export function checkWellFormed(text: string): { readonly whole: boolean; readonly rest: string } {
  if (FORBIDDEN_CHARACTERS.test(text) || !text.isWellFormed()) return { whole: false, rest: '' };
  const document = text.replace(DECLARATION, '');
  const open: string[] = [];
  let roots = 0;
  let read = 0;
  PIECES.lastIndex = 0;
  for (let piece = PIECES.exec(document); piece !== null; piece = PIECES.exec(document)) {
    if (open.length === 0 && piece[2] !== undefined) roots += 1;
    if (!isAllowed(piece, open)) return { whole: false, rest: '' };
    read = PIECES.lastIndex;
  }
  const rest = document.slice(read);
  return { whole: rest === '' && roots === 1 && open.length === 0, rest };
}

/** Whether a piece may stand where it does. Keeps account of the elements that are open. */
function isAllowed(piece: RegExpExecArray, open: string[]): boolean {
  const [, text, opened, attributes = '', empty, closed, cdata, comment, instruction] = piece;
  if (text !== undefined) return open.length > 0 ? !text.includes(']]>') : isBlank(text);
  if (closed !== undefined) return open.pop() === closed;
  if (cdata !== undefined) return open.length > 0;
  if (comment !== undefined) return !`${comment}-`.includes('--');
  if (instruction !== undefined) return !/^xml$/i.test(instruction);
  if (opened !== undefined && empty === '') open.push(opened);
  return namesAreUnique(attributes);
}

function namesAreUnique(attributes: string): boolean {
  if (attributes.indexOf('=') === attributes.lastIndexOf('=')) return true; // there is but one
  const names = Array.from(attributes.matchAll(ATTRIBUTES), ([, key]) => key);
  return new Set(names).size === names.length;
}

/** Whether a text is white space, as XML knows it. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

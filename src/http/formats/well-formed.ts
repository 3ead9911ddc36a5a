// Checks whether a text is well-formed XML. The parser accepts many texts that are not.

/** Characters that XML 1.0 cannot write, not even as a reference. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
export const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

const name = String.raw`[\p{L}_:][\p{L}\p{M}\p{N}_:.\-]*`;
const space = String.raw`[ \t\r\n]`;
const value = `${space}*=${space}*(?:"[^<"]*"|'[^<']*')`;
/** Matches one attribute after the other. Sticky, so that each character is read once. */
const ATTRIBUTES = new RegExp(`${space}+(${name})${value}`, 'guy');

const DECLARATION = new RegExp(
  `^<\\?xml${space}+version${space}*=${space}*(?:"1\\.\\d+"|'1\\.\\d+')` +
    `(?:${space}+encoding${space}*=${space}*(?:"[\\w.-]+"|'[\\w.-]+'))?` +
    `(?:${space}+standalone${space}*=${space}*(?:"(?:yes|no)"|'(?:yes|no)'))?${space}*\\?>`,
);

/**
 * Matches one piece of a document: text, a tag, CDATA, a comment or an instruction. A DOCTYPE does not match. Groups are
 * numbered: named groups would create an object per piece.
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

/** Checks a text: `whole` when all of it is one XML document, else `rest` is the text from the first unknown piece on. */
export function checkWellFormed(text: string): { readonly whole: boolean; readonly rest: string } {
  if (FORBIDDEN_CHARACTERS.test(text) || !text.isWellFormed()) return { whole: false, rest: '' };
  const document = text.replace(DECLARATION, '');
  const open: string[] = [];
  let rootCount = 0;
  let checkedLength = 0;
  PIECES.lastIndex = 0;
  for (let piece = PIECES.exec(document); piece !== null; piece = PIECES.exec(document)) {
    if (open.length === 0 && piece[2] !== undefined) rootCount += 1;
    if (!isAllowed(piece, open)) return { whole: false, rest: '' };
    checkedLength = PIECES.lastIndex;
  }
  const rest = document.slice(checkedLength);
  return { whole: rest === '' && rootCount === 1 && open.length === 0, rest };
}

/** Whether a piece is allowed at its place. Updates `open`, the names of the open elements. */
function isAllowed(piece: RegExpExecArray, open: string[]): boolean {
  const [, text, openedName, attributes = '', empty, closedName, cdata, comment, instruction] = piece;
  if (text !== undefined) return open.length > 0 ? !text.includes(']]>') : isBlank(text);
  if (closedName !== undefined) return open.pop() === closedName;
  if (cdata !== undefined) return open.length > 0;
  if (comment !== undefined) return !`${comment}-`.includes('--');
  if (instruction !== undefined) return !/^xml$/i.test(instruction);
  if (openedName !== undefined && empty === '') open.push(openedName);
  return namesAreUnique(attributes);
}

function namesAreUnique(attributes: string): boolean {
  if (attributes.indexOf('=') === attributes.lastIndexOf('=')) return true; // at most one attribute
  const names = Array.from(attributes.matchAll(ATTRIBUTES), ([, key]) => key);
  return new Set(names).size === names.length;
}

/** Whether a text holds nothing but white space as XML defines it. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

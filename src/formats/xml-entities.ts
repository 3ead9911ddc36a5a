import { BadResponseError } from '../errors.ts';

// Entities of XML, and the named ones of HTML that texts of web forms have. Not documented (A207): whether the latter come.

/** Characters that XML 1.0 cannot write, not even as a reference. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
export const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

/** The named entities of HTML for U+00A0 to U+00FF, in this order. */
const LATIN_1 = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn ' +
  'sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave ' +
  'Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ' +
  'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN ' +
  'szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute ' +
  'icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml ' +
  'yacute thorn yuml'
).split(' ');

/** Further named entities of HTML, each with its character. */
const BEYOND_LATIN_1 = (
  'OElig=Œ oelig=œ Scaron=Š scaron=š Yuml=Ÿ fnof=ƒ circ=ˆ tilde=˜ ensp=\u2002 emsp=\u2003 ' +
  'thinsp=\u2009 zwnj=\u200C zwj=\u200D lrm=\u200E rlm=\u200F ndash=– mdash=— lsquo=‘ rsquo=’ ' +
  'sbquo=‚ ldquo=“ rdquo=” bdquo=„ dagger=† Dagger=‡ bull=• hellip=… permil=‰ prime=′ Prime=″ ' +
  'lsaquo=‹ rsaquo=› euro=€ trade=™ larr=← uarr=↑ rarr=→ darr=↓ minus=− ne=≠ le=≤ ge=≥ infin=∞'
).split(' ');

/** Those of XML, and of HTML beyond ASCII, by name. */
export const namedEntities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ...LATIN_1.map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)]),
  ...BEYOND_LATIN_1.map((entity): [string, string] => [entity.slice(0, -2), entity.slice(-1)]),
]);

/**
 * Decodes entities once: `&amp;lt;` becomes `&lt;`. Without a DOCTYPE there are the named ones above, and numeric ones.
 *
 * @param others the texts of further entities by their names
 * @throws BadResponseError for any other entity, and for `&` without one
 */
export function decodeEntities(text: string, others?: ReadonlyMap<string, string>): string {
  let start = text.indexOf('&');
  if (start === -1) return text;
  const numeric = new Map<string, string>(); // decoding one takes longer than finding it here
  let [decoded, end] = ['', 0];
  for (; start !== -1; start = text.indexOf('&', end)) {
    const semicolon = text.indexOf(';', start);
    const name = semicolon === -1 ? '' : text.slice(start + 1, semicolon);
    const character = namedEntities.get(name) ?? others?.get(name) ?? numeric.get(name) ?? numericEntity(name);
    if (character === undefined)
      throw new BadResponseError('Expected XML, got an entity or a character that it does not have.');
    if (name.startsWith('#')) numeric.set(name, character);
    decoded += text.slice(end, start) + character;
    end = semicolon + 1;
  }
  return decoded + text.slice(end);
}

/** Returns the character of a numeric entity such as `#65` or `#x41`. */
function numericEntity(name: string): string | undefined {
  const [, hex, digits] = /^#(?:x0*([0-9a-fA-F]{1,6})|0*(\d{1,7}))$/.exec(name) ?? [];
  const code = hex === undefined ? Number(digits ?? Number.NaN) : Number.parseInt(hex, 16);
  const character = code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\0';
  return FORBIDDEN_CHARACTERS.test(character) || !character.isWellFormed() ? undefined : character;
}

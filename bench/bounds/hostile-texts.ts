// Texts that take long where they are not read in one pass. The suite counts the passes, or compares what comes of short ones;
// `npm run bench:bounds` measures long ones.

/** A name, and a text of so many parts. */
export type HostileText = readonly [name: string, text: (count: number) => string];

const each = (count: number, part: (index: number) => string, separator = '') =>
  Array.from({ length: count }, (_none, index) => part(index)).join(separator);

export const HOSTILE_XML: readonly HostileText[] = [
  ['elements in each other', (count) => '<a>'.repeat(count) + '</a>'.repeat(count)],
  ['elements beside each other', (count) => `<a>${'<b c="1">x</b>'.repeat(count)}</a>`],
  ['empty elements', (count) => `<a>${'<b/>'.repeat(count)}</a>`],
  ['attributes', (count) => `<a ${each(count, (index) => `b${index}="1"`, ' ')}/>`],
  ['tags that differ', (count) => `<a>${each(count, (index) => `<b c="${index}"/>`)}</a>`],
  ['tags that do not end', (count) => `<a>${'<b c="1" '.repeat(count)}`],
  ['a tag that does not end', (count) => `<a ${'b="1" '.repeat(count)}`],
  ['quotes that do not end', (count) => `<a ${`b="1" c='`.repeat(count)}`],
  ['text', (count) => `<a>${'x'.repeat(count)}</a>`],
  ['entities', (count) => `<a>${'&amp;'.repeat(count)}</a>`],
  ['bare &', (count) => `<a>${'&'.repeat(count)}</a>`],
  ['bare <', (count) => '<'.repeat(count)],
  ['a long name', (count) => `<${'a'.repeat(count)}/>`],
  ['a long name that does not end', (count) => `<${'a'.repeat(count)}`],
  ['a long name that is not ASCII', (count) => `<${'ó'.repeat(count)}>`],
  ['ends of CDATA in comments', (count) => `<a>${'x<!--]]>-->'.repeat(count)}</a>`],
  ['instructions', (count) => `<a>${'<?x y?>'.repeat(count)}</a>`],
  ['instructions that do not end', (count) => `<a>${'<?x '.repeat(count)}`],
  ['comments that do not end', (count) => `<a>${'<!-- '.repeat(count)}`],
  ['a comment of dashes that does not end', (count) => `<a><!--${'-'.repeat(count)}`],
  ['CDATA that does not end', (count) => `<a>${'<![CDATA['.repeat(count)}`],
  ['CDATA', (count) => `<a>${'<![CDATA[x]]>'.repeat(count)}</a>`],
  ['spaces in a tag', (count) => `<a${' '.repeat(count)}`],
  ['spaces in an end', (count) => `<a></a${' '.repeat(count)}`],
];

/** The begins of answers that nobody reads. */
export const HOSTILE_PROLOGUES = [
  '<!---->',
  '<??>',
  '<!--',
  '<?',
  '<!-- ',
  '--><!--',
  ' <!----> <??>',
  '<!---',
  '?><?',
  ' ',
];

export const HOSTILE_NUMBERS: readonly HostileText[] = [
  ['digits', (count) => '1'.repeat(count)],
  ['digits in a text', (count) => `["${'1'.repeat(count)}",12345678901234567]`],
  ['backslashes', (count) => `["${'\\\\'.repeat(count)}",12345678901234567]`],
  ['quotes', (count) => `["${'\\"'.repeat(count)}",12345678901234567]`],
  ['spaces behind numbers', (count) => `[${'12345678901234567 '.repeat(count)}`],
  ['nesting', (count) => `${'['.repeat(count)}12345678901234567${']'.repeat(count)}`],
  ['long numbers', (count) => `[${'12345678901234567,'.repeat(count)}1]`],
  ['long fractions', (count) => `[${'0.12345678901234567,'.repeat(count)}1]`],
  ['doubles', (count) => `[${'0.30000000000000004,'.repeat(count)}1]`],
  ['digits of a fraction', (count) => `[0.${'1'.repeat(count)}]`],
  ['zeros of a fraction', (count) => `[1.${'0'.repeat(count)}1]`],
  ['zeros at the end of a fraction', (count) => `[1.${'0'.repeat(count)}]`],
  ['zeros before a fraction', (count) => `[0.${'0'.repeat(count)}1]`],
];

/** What may be an escape of a secret, or a part of one. */
export const ESCAPES = [
  '\\',
  '/',
  '%',
  '\\/',
  '\\/%25',
  '%25',
  '%5C',
  '\\\\/%25',
  '&',
  '&amp;',
  '&#92;',
  '%C5%BC',
  '%C5',
  '\\u005c',
  'a',
];

/** Secrets that are like escapes. */
export const HOSTILE_SECRETS: readonly (readonly [name: string, secret: string])[] = [
  ['backslashes', '\\\\\\\\\\z'],
  ['backslashes only', '\\\\\\'],
  ['one backslash', '\\'],
  ['one letter', 'a'],
  ['many backslashes', `${'\\'.repeat(5_000)}z${'\\'.repeat(5_000)}`],
  ['many percent signs', `${'%25'.repeat(3_000)}z${'%'.repeat(5_000)}`],
  ['much of one letter', `${'a'.repeat(5_000)}z${'a'.repeat(5_000)}`],
  ['slashes and percent signs', '/%/%/%25%25z'],
];

/** What refusals are full of. */
export const REFUSAL_PARTS = ['\\', '/', '\\/', '%25', '&amp;', 'dXNlcjpz', '\\\\u005c'];

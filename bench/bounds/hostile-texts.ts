// Texts that take long where they are not read in one pass. The suite counts the passes, or compares what comes of short ones;
// `npm run bench:bounds` measures long ones.

/** A name, and a text of so many parts. */
export type HostileText = readonly [name: string, text: (count: number) => string];

const each = (count: number, part: (index: number) => string, separator = '') =>
  Array.from({ length: count }, (_none, index) => part(index)).join(separator);

/** A hostile text of about so many characters. */
export const sized = (text: HostileText[1], length: number): string =>
  text(Math.floor((50_000 * length) / text(50_000).length)); // with numbers of as many digits

export const HOSTILE_XML: readonly HostileText[] = [
  ['elements in each other', (count) => '<a>'.repeat(count) + '</a>'.repeat(count)],
  ['small nests of elements', (count) => `<a>${'<b><c>x</c></b>'.repeat(count)}</a>`],
  ['deep nests of elements', (count) => `<a>${('<b>'.repeat(20) + '</b>'.repeat(20)).repeat(count)}</a>`],
  ['elements beside each other', (count) => `<a>${'<b c="1">x</b>'.repeat(count)}</a>`],
  ['empty elements', (count) => `<a>${'<b/>'.repeat(count)}</a>`],
  ['elements beside text', (count) => `<a>${'x<b/>'.repeat(count)}</a>`],
  ['attributes', (count) => `<a ${each(count, (index) => `b${index}="1"`, ' ')}/>`],
  ['tags that differ', (count) => `<a>${each(count, (index) => `<b c="${index}"/>`)}</a>`],
  ['tags of names that differ', (count) => `<a>${each(count, (index) => `<b${index}/>`)}</a>`],
  ['attributes of names that differ', (count) => `<a>${each(count, (index) => `<b c${index}="1"/>`)}</a>`],
  ['attributes that differ', (count) => `<a>${each(count, (index) => `<b c="${index}" d="" e="" f=""/>`)}</a>`],
  ['namespaces', (count) => `<a>${each(count, (index) => `<n${index}:b xmlns:n${index}="c"/>`)}</a>`],
  ['tags that do not end', (count) => `<a>${'<b c="1" '.repeat(count)}`],
  ['a tag that does not end', (count) => `<a ${'b="1" '.repeat(count)}`],
  ['quotes that do not end', (count) => `<a ${`b="1" c='`.repeat(count)}`],
  ['text', (count) => `<a>${'x'.repeat(count)}</a>`],
  ['entities', (count) => `<a>${'&amp;'.repeat(count)}</a>`],
  ['entities that are numbers', (count) => `<a>${'&#65;'.repeat(count)}</a>`],
  ['entities that differ', (count) => `<a>${each(count, (index) => `&#${32 + (index % 50_000)};`)}</a>`],
  ['entities in ends of CDATA', (count) => `<a>${']]&gt;'.repeat(count)}</a>`],
  ['entities in an attribute', (count) => `<a b="${'&amp;'.repeat(count)}"/>`],
  ['entities in attributes', (count) => `<a>${each(count, (index) => `<b c="${index}&amp;&amp;"/>`)}</a>`],
  ['carriage returns', (count) => `<a>${'\r'.repeat(count)}</a>`],
  ['carriage returns before line feeds', (count) => `<a>${'\r\n'.repeat(count)}</a>`],
  ['tabs in an attribute', (count) => `<a b="${'\t'.repeat(count)}"/>`],
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
  ['empty CDATA', (count) => `<a>${'<![CDATA[]]>'.repeat(count)}</a>`],
  ['CDATA beside text', (count) => `<a>${'x<![CDATA[y]]>'.repeat(count)}</a>`],
  ['CDATA in elements', (count) => `<a>${'<b><![CDATA[x]]></b>'.repeat(count)}</a>`],
  ['comments', (count) => `<a>${'<!---->'.repeat(count)}</a>`],
  ['spaces in a tag', (count) => `<a${' '.repeat(count)}`],
  ['spaces in an end', (count) => `<a></a${' '.repeat(count)}`],
];

/** Holds as much of everything as the limits allow, and entities. */
export function largestXml(length: number): string {
  const tags = each(4_900, (index) => `<b c${index}="1" d="" e=""/>`);
  const start = `<a>${tags}${'x<![CDATA[y]]>'.repeat(30_000)}${'<b/>x'.repeat(55_000)}`;
  return `${start}${'&lt;'.repeat((length - start.length) / 4)}</a>`;
}

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

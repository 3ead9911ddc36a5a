import { hostileText } from './hostile-texts.ts';
import type { Tape } from './tape.ts';

type Edit = (text: string) => string;

/** Values as JSON texts, some of which are no JSON. */
const VALUES = [
  ...['null', 'true', 'false', '0', '-0', '-1', '0.1', '1e999', '-1e400', '9007199254740993', '12345678901234567890'],
  ...['NaN', 'Infinity', '01', '1.', "'x'", 'undefined', '""', '{}', '[]', '[null]', '["a"]', '{"id":1}', '[[[]]]'],
  ...['1e21', '1e-7', '2147483648', '0.1234567890123456789', '"\\ud800"', '"\\u0000"', '"\\x"', '{"id":{"id":1}}'],
] as const;

/** Keys that a plain object inherits, or that say something to a reader of JSON. */
const MEMBERS = [
  '"__proto__":{"polluted":true}',
  '"__proto__":null',
  '"constructor":{"prototype":{"polluted":true}}',
  '"toString":1,"valueOf":2,"hasOwnProperty":3',
  '"then":1',
  '"toJSON":"x"',
  '"length":-1',
  '"id":"../x"',
  '"id":null',
  '"error":"x"',
  '"errors":{"":["x"]}',
  '"status":"error"',
  '"success":false',
] as const;

/** A JSON text with edits of some of its values. The text as it is on an empty tape. */
export function editedJson(tape: Tape, body: string, echo: string): string {
  const value = parsed(body);
  if (value === undefined) return body;
  const size = countOf(value);
  const edits = new Map<number, Edit>();
  for (let left = tape.roll(5); left > 0; left -= 1) edits.set(tape.roll(size), editOf(tape, echo));
  return written(value, edits, { next: 0 });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function editOf(tape: Tape, echo: string): Edit {
  const [literal, said, member] = [tape.pick(VALUES), JSON.stringify(hostileText(tape)), tape.pick(MEMBERS)];
  return tape.pick<Edit>([
    () => literal,
    () => said,
    () => JSON.stringify(echo),
    (text) => (text.startsWith('{') && text !== '{}' ? `{${member},${text.slice(1)}` : literal),
    (text) => (text.startsWith('{') && text !== '{}' ? `${text.slice(0, -1)},${member}}` : said),
    (text) => (text.startsWith('{') && text !== '{}' ? `${text.slice(0, -1)},${text.slice(1)}` : `[${text}]`),
    (text) => `[${text}]`,
    (text) => `{"x":${text}}`,
    (text) => JSON.stringify(text),
    (text) => text.slice(0, -1),
    (text) => (text.startsWith('[') && text !== '[]' ? `${text.slice(0, -1)},${text.slice(1)}` : said),
    (text) => `${'['.repeat(3_000)}${text}${']'.repeat(3_000)}`,
  ]);
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, part: unknown) => sum + countOf(part), 1);
}

/** Writes a value, whose parts are numbered in the order in which they begin. */
function written(value: unknown, edits: ReadonlyMap<number, Edit>, counter: { next: number }): string {
  const edit = edits.get(counter.next);
  counter.next += 1;
  const text = plainlyWritten(value, edits, counter);
  return edit ? edit(text) : text;
}

function plainlyWritten(value: unknown, edits: ReadonlyMap<number, Edit>, counter: { next: number }): string {
  if (Array.isArray(value)) return `[${value.map((item) => written(item, edits, counter)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}:${written(part, edits, counter)}`);
  return `{${members.join(',')}}`;
}

/** An XML text with edits of some of its tags and texts. The text as it is on an empty tape. */
export function editedXml(tape: Tape, body: string, echo: string): string {
  const pieces = body.split(/(<[^<>]*>)/);
  for (let left = tape.roll(5); left > 0; left -= 1) {
    const at = tape.roll(pieces.length);
    pieces[at] = editedPiece(tape, pieces[at] ?? '', echo);
  }
  return pieces.join('');
}

function editedPiece(tape: Tape, piece: string, echo: string): string {
  const text = hostileText(tape);
  return tape.pick([
    text,
    echo,
    '',
    piece + piece,
    piece.replace('>', ' type="integer">'),
    piece.replace('>', ' type="array">'),
    piece.replace('>', ' nil="true">'),
    piece.replace('>', ` a="${text}" a='&quot;'>`),
    `<![CDATA[${text}]]>`,
    `<!-- ${text} -->`,
    `<?${text}?>`,
    `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;`,
    '&#x1F600;&#0;&#xD800;&nbsp;',
    `<__proto__>${piece}</__proto__>`,
    `<constructor/>${piece}`,
    `<id type="integer">${text}</id>`,
    `${'<p>'.repeat(500)}${piece}${'</p>'.repeat(500)}`,
    piece.slice(1),
    piece.toUpperCase(),
  ]);
}

import { expect, test } from 'vitest';
import { BadResponseError } from '../../src/errors.ts';
import { parseXml, type XmlElement } from '../../src/formats/xml-document.ts';
import { dice } from '../support/dice.ts';
import { HOSTILE_XML } from '../../bench/bounds/hostile-texts.ts';
import { slowXml } from '../support/slow-xml.ts';

// Documents by chance, well-formed or not: each is read as the slow way reads it, or refused by both.

const TOKENS = [
  ...[
    '<a>',
    '</a>',
    '<b>',
    '</b>',
    '</b >',
    '<ó>',
    '</ó>',
    '<a/>',
    '<b />',
    '<toString/>',
    '<__proto__/>',
    '<a:b.c-1/>',
  ],
  ...['<a b="1">', '<b c = \'2\'\n\td="&lt;>">', '<a b="1" b="2"/>', '<a b="1"c="2"/>', '<a b=1/>', '<b nil="true"/>'],
  ...[
    '<a constructor="1"/>',
    '<a b="\r\n\t "/>',
    '<a b="<"/>',
    '<a ó="&#243;"/>',
    '<a b="&x;"/>',
    '<a b="/"/>',
    '<1/>',
  ],
  ...[
    'x',
    ' ',
    '\n',
    '\r\n',
    'ó🪑',
    '>',
    ']]>',
    '&amp;',
    '&#65;',
    '&x;',
    '&',
    '"',
    "'",
    '<',
    '</',
    '/>',
    '\u0001',
    '\uD800',
  ],
  ...['<![CDATA[&amp;<a>]]>', '<![CDATA[', ']]', '<!-- <a> & -->', '<!---->', '<!-- -- -->', '<!--', '-->', '<!x>'],
  ...[
    '<?a?>',
    '<?a b="1" & ?>',
    '<?xml version="1.0"?>',
    '<?A:b\n<c>?>',
    '<? a?>',
    '<??>',
    '<!DOCTYPE a>',
    '<!doctype',
  ],
] as const;

type Dice = ReturnType<typeof dice>;

/** Balanced elements with few faults, so that many documents are well-formed. */
function content(chance: Dice, depth = 0): string {
  const { roll, pick } = chance;
  return Array.from({ length: roll(5) }, () => {
    if (roll(60) === 0) return pick(...TOKENS);
    if (depth > 4 || roll(2))
      return pick('x', ' \r\n', '&lt;', '&#xF3;', '<![CDATA[ & ]]>', '<!-- " -->', '<?a b="c"?>', '<b/>');
    const name = pick('a', 'b', 'post', 'źdźbło');
    const attributes = pick('', ' ', ' type="array"', " nil = 'true' type='x'", ' b="1\t&amp;\'>"', '\n\tc="]]>"');
    return `<${name}${attributes}>${content(chance, depth + 1)}</${name}${pick('', ' ')}>`;
  }).join('');
}

function document(seed: number): string {
  const chance = dice(seed);
  const { roll, pick } = chance;
  if (seed % 3 === 0) return Array.from({ length: 1 + roll(8) }, () => pick(...TOKENS)).join('');
  const prologue = pick('', '\uFEFF', '<?xml version="1.0" encoding="UTF-8"?>\n', '<!-- a -->', '<?a?>', ' ');
  const text = `${prologue}<a>${content(chance)}</a>${pick('', '\n', '<!-- -->')}`;
  if (seed % 3 === 1) return text;
  const place = roll(text.length);
  return text.slice(0, place) + pick('', ...TOKENS) + text.slice(place + roll(3));
}

function readBy(parse: (text: string) => XmlElement, text: string): XmlElement | 'refused' {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof BadResponseError) return 'refused';
    throw error;
  }
}

/** Whether an instruction has a quote that does not end in it. The slow way reads on up to the next one. */
function misleadsSlowWay(text: string): boolean {
  const instructions = text.match(/<\?[^]*?\?>/g) ?? [];
  return instructions.some((instruction) => /["']/.test(instruction.replaceAll(/"[^"]*"|'[^']*'/g, '')));
}

test('6,000 documents are read as the slow way reads them, or refused by both', () => {
  const counts = { read: 0, refused: 0 };
  for (let seed = 0; seed < 6_000; seed++) {
    const text = document(seed);
    if (misleadsSlowWay(text)) continue;
    const expected = readBy(slowXml, text);
    expect(readBy(parseXml, text), JSON.stringify(text)).toEqual(expected);
    counts[expected === 'refused' ? 'refused' : 'read'] += 1;
  }
  expect(counts.read).toBeGreaterThan(1_500);
  expect(counts.refused).toBeGreaterThan(1_500);
});

test.each(["<a><?x '?><b/><?y '?></a>", "<a><?it s'?><b/></a>", '<a><?x "?>y<b/><?z "?></a>'])(
  'quotes in instructions hide nothing: %s',
  (text) => expect(parseXml(text).children).toHaveLength(1),
);

test.each(HOSTILE_XML)('hostile documents, too: %s', (_name, text) => {
  for (const count of [1, 2, 50, 2_000]) expect(readBy(parseXml, text(count))).toEqual(readBy(slowXml, text(count)));
});

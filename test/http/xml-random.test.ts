import { describe, expect, test } from 'vitest';
import { BadResponseError } from '../../src/errors.ts';
import { parseXml, type XmlElement } from '../../src/formats/xml-document.ts';
import { dice } from '../support/dice.ts';

// Documents by chance: what they hold is known before they are written, and how they are broken.

type Dice = ReturnType<typeof dice>;

const NAMES = ['comment', 'comments', 'post', 'id', 'created-at', 'hash', 'toString'] as const;
const CHARACTERS = ['a', ...'7 \n<>&"\'ó🪑\r\t', ']]>', '-->', 'amp;', '#65;'] as const;

/** The content of a random document. */
function tree({ roll, pick }: Dice, depth = 0): XmlElement {
  const text = Array.from({ length: roll(6) }, () => pick(...CHARACTERS)).join('');
  const children = depth > 3 ? [] : Array.from({ length: roll(4) }, () => undefined);
  const attributes = {
    ...(roll(2) && { type: pick('integer', 'array', 'a"b', "<'>") }),
    ...(roll(3) === 0 && { nil: 'true' }),
  };
  return { name: pick(...NAMES), attributes, text, children: children.map(() => tree({ roll, pick }, depth + 1)) };
}

interface Piece {
  readonly kind: 'start' | 'end' | 'text' | 'aside';
  readonly source: string;
}

/** One way of many to write it, in pieces. */
function pieces(element: XmlElement, chance: Dice): Piece[] {
  const { pick, roll } = chance;
  const quoted = (text: string) => {
    const quote = pick('"', "'");
    const reference = (character: string) => `&#${character.charCodeAt(0)};`;
    return `${quote}${text.replaceAll(/["'<&]/g, reference)}${quote}`;
  };
  const attributes = Object.entries(element.attributes).map(
    ([name, value]) => `${pick(' ', '\n ')}${name}${pick('', ' ')}=${quoted(value)}`,
  );
  const start = `<${element.name}${(roll(2) ? attributes : attributes.toReversed()).join('')}${pick('', ' ')}`;
  const inside = [
    ...Array.from(element.text, (character) => written(character, chance)),
    ...element.children.map((child) => pieces(child, chance)),
  ];
  // Text keeps its order, and so do elements: where they meet does not matter.
  const content = inside.flatMap((part) => [
    ...part,
    ...(roll(8) === 0 ? [{ kind: 'aside' as const, source: pick('<!-- <a> & -->', '<?a <b> & ?>') }] : []),
  ]);
  if (content.length === 0 && roll(2)) return [{ kind: 'aside', source: `${start}/>` }];
  return [
    { kind: 'start', source: `${start}>` },
    ...content,
    { kind: 'end', source: `</${element.name}${pick('', ' ')}>` },
  ];
}

function written(character: string, { pick }: Dice): Piece[] {
  const code = character.codePointAt(0) ?? 0;
  const plain = /[<&>\r]/.test(character) ? [] : [character];
  const cdata = character === '\r' ? [] : [`<![CDATA[${character}]]>`];
  return [{ kind: 'text', source: pick(`&#${code};`, `&#x${code.toString(16)};`, ...plain, ...cdata) }];
}

const PROLOGUES = ['', '\uFEFF', '<?xml version="1.0" encoding="UTF-8"?>\n', '<!-- <a> -->'] as const;

const seeds = Array.from({ length: 250 }, (_, seed) => seed);

test('250 documents hold what was put into them', () => {
  for (const seed of seeds) {
    const chance = dice(seed);
    const expected = tree(chance);
    const text =
      chance.pick(...PROLOGUES) +
      pieces(expected, chance)
        .map(({ source }) => source)
        .join('');
    expect(parseXml(text), text).toEqual(expected);
  }
});

/** Ways to break a document for certain. Each returns `undefined` when the document has nothing to break in this way. */
const breakages: Readonly<Record<string, (parts: readonly Piece[], chance: Dice) => string | undefined>> = {
  'cut off': (parts, { roll }) => {
    const text = joined(parts);
    return text.slice(0, roll(text.length));
  },
  'an end is missing': (parts, chance) => without(parts, chance, 'end'),
  'a start is missing': (parts, chance) => without(parts, chance, 'start'),
  'an end comes twice': (parts, chance) => replaced(parts, chance, 'end', (end) => end + end),
  'a start comes twice': (parts, chance) => replaced(parts, chance, 'start', (start) => start + start),
  'an end has another name': (parts, chance) => replaced(parts, chance, 'end', () => '</other>'),
  'a start is not closed': (parts, chance) => replaced(parts, chance, 'start', (start) => start.slice(0, -1)),
  'an attribute comes twice': (parts, chance) =>
    replaced(parts, chance, 'start', (start) => start.replace(/>$/, ' x="1" x="1">')),
  'an attribute has no quotes': (parts, chance) =>
    replaced(parts, chance, 'start', (start) => start.replace(/>$/, ' x=1>')),
  'a quote is missing': (parts, chance) => replaced(parts, chance, 'start', (start) => start.replace(/>$/, ' x="1>')),
  'a bare <': (parts, chance) => beside(parts, chance, '< '),
  'a bare &': (parts, chance) => beside(parts, chance, '& '),
  'an unknown entity': (parts, chance) => beside(parts, chance, '&unknown;'),
  'a control character': (parts, chance) => beside(parts, chance, '\u0001'),
  'a bare ]]>': (parts, chance) => beside(parts, chance, ']]>'),
  'a DOCTYPE': (parts, chance) => beside(parts, chance, '<!DOCTYPE a>'),
  'a declaration': (parts, chance) => beside(parts, chance, '<?xml version="1.0"?>'),
  'a second root': (parts) => joined(parts) + joined(parts),
  'text after the root': (parts) => `${joined(parts)}x`,
  'elements that overlap': (parts) => `<a><b>${joined(parts)}</a></b>`,
};

const joined = (parts: readonly Piece[]) => parts.map(({ source }) => source).join('');

function replaced(parts: readonly Piece[], { roll }: Dice, kind: Piece['kind'], change: (source: string) => string) {
  const places = [...parts.keys()].filter((index) => parts[index]?.kind === kind);
  const place = places[roll(Math.max(1, places.length))];
  return place === undefined
    ? undefined
    : joined(parts.map((part, index) => (index === place ? { ...part, source: change(part.source) } : part)));
}

const without = (parts: readonly Piece[], chance: Dice, kind: Piece['kind']) => replaced(parts, chance, kind, () => '');

/** Puts something between the tags of the root. */
function beside(parts: readonly Piece[], { roll }: Dice, source: string): string | undefined {
  if (parts.length < 2) return undefined;
  const place = 1 + roll(parts.length - 1);
  return joined([...parts.slice(0, place), { kind: 'text', source }, ...parts.slice(place)]);
}

describe('a document that was broken is no other document', () => {
  test.each(Object.entries(breakages))('%s', (_name, breaking) => {
    let broken = 0;
    for (const seed of seeds.slice(0, 60)) {
      const chance = dice(seed);
      const text = breaking(pieces(tree(chance), chance), chance);
      if (text === undefined) continue;
      expect(() => parseXml(text), text).toThrow(BadResponseError);
      broken += 1;
    }
    expect(broken).toBeGreaterThan(30);
  });
});

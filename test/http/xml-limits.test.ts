import { describe, expect, test } from 'vitest';
import { HOSTILE_XML, sized } from '../../bench/bounds/hostile-texts.ts';
import { BadResponseError } from '../../src/errors.ts';
import { parseXml } from '../../src/formats/xml-document.ts';
import { xmlRecords } from '../../src/formats/xml-values.ts';

// How much of what costs more than text a document may hold. `npm run bench:bounds` measures what that costs.

const MEGABYTE = 1_000_000;
const MEBIBYTE = 2 ** 20;

const LIMITS = {
  tags: 60_000,
  'distinct tags': 5_000,
  'attributes in distinct tags': 15_000,
  'CDATA sections': 30_000,
} as const;

type Part = keyof typeof LIMITS;

const refusal = (part: Part, limit: number = LIMITS[part]) =>
  new BadResponseError(`Expected XML with at most ${limit} ${part}, got more.`);

const REFUSED: Readonly<Record<string, Part>> = {
  'small nests of elements': 'tags',
  'deep nests of elements': 'tags',
  'elements in each other': 'tags',
  'elements beside each other': 'tags',
  'elements beside text': 'tags',
  'empty elements': 'tags',
  attributes: 'attributes in distinct tags',
  'attributes that differ': 'attributes in distinct tags',
  'attributes of names that differ': 'distinct tags',
  'tags that differ': 'distinct tags',
  'tags of names that differ': 'distinct tags',
  namespaces: 'distinct tags',
  'entities in attributes': 'distinct tags',
  CDATA: 'CDATA sections',
  'empty CDATA': 'CDATA sections',
  'CDATA beside text': 'CDATA sections',
  'CDATA in elements': 'CDATA sections',
};

const hostile = new Map(HOSTILE_XML);

describe('a hostile document of 1 MB', () => {
  test.each(Object.entries(REFUSED))('of %s has too many %s', (name, part) => {
    const text = sized(hostile.get(name) ?? String, MEGABYTE);
    expect(() => parseXml(text)).toThrow(refusal(part));
  });

  test.each(HOSTILE_XML.filter(([name]) => !Object.hasOwn(REFUSED, name)))(
    'of %s is within the limits',
    (_name, text) => {
      expect(() => parseXml(sized(text, MEGABYTE))).not.toThrow(/at most/);
    },
  );

  test.each([
    ['&amp;', '&'],
    ['&#65;', 'A'],
    ['&#380;x', 'żx'],
    [']]&gt;', ']]>'],
    ['\r', '\n'],
    ['\r\n', '\n'],
    ['\r\r\n', '\n\n'],
  ])('of %j is read in full', (written, read) => {
    const count = Math.floor(MEGABYTE / written.length);
    expect(parseXml(`<a>${written.repeat(count)}</a>`).text === read.repeat(count)).toBe(true);
  });
});

const elements = (count: number, element: (index: number) => string) =>
  `<a>${Array.from({ length: count }, (_none, index) => element(index)).join('')}</a>`;

const attributes = (count: number) => Array.from({ length: count }, (_none, index) => ` b${index}=""`).join('');

/** Documents with so many of a part, that of the root included. */
const counted: Readonly<Record<Part, (count: number) => string>> = {
  tags: (count) => elements(count - 1, () => '<b/>'),
  'distinct tags': (count) => elements(count - 1, (index) => `<b${index}/>`),
  'attributes in distinct tags': (count) =>
    `<a><b${attributes(count - 7_000)}/><c${attributes(7_000)}/>${`<d/>`.repeat(9)}</a>`,
  'CDATA sections': (count) => elements(count, () => '<![CDATA[x]]>'),
};

describe.each(['tags', 'distinct tags', 'attributes in distinct tags', 'CDATA sections'] as const)('%s', (part) => {
  const [limit, document] = [LIMITS[part], counted[part]];

  test('are read up to the limit', () => {
    expect(parseXml(document(limit)).name).toBe('a');
    expect(() => parseXml(document(limit + 1))).toThrow(refusal(part));
  });

  test('may be as many for each MiB, where MAX_XML_BYTES allows more than one', () => {
    const long = (count: number) => document(count).replace('</a>', () => `${' '.repeat(MEBIBYTE)}</a>`);
    expect(parseXml(long(2 * limit)).name).toBe('a');
    expect(() => parseXml(long(2 * limit + 1))).toThrow(refusal(part, 2 * limit));
  });
});

test('equal tags have their attributes counted once', () => {
  expect(parseXml(elements(50_000, () => '<b c="1" d="2"/>')).children).toHaveLength(50_000);
});

const HTML = '<p>It would <b>help</b> if the list &amp; the board had "filters".</p>\n<ul><li>by owner</li></ul>\n';
const CODE = '<div class="a"><p><b>x</b>&nbsp;<i>y</i></p></div>';
const POLISH = 'Zażółć gęślą jaźń, proszę o więcej możliwości filtrowania listy. ';

const asEntities = (text: string) =>
  text.replaceAll(/[^ -%'-;=?-~\n]/gu, (character) => `&#${character.codePointAt(0)};`);
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const cdata = (text: string) => `<![CDATA[${text}]]>`;

/** A suggestion as the document shows one, in a list. */
const post = (index: number, text: string, write: (text: string) => string) =>
  [
    '<post>',
    `<agent>${write('Mozilla/5.0 (X11; Linux x86_64)')}</agent>`,
    '<comments-cache type="integer">0</comments-cache>',
    `<content>${write(text)}</content>`,
    '<created-at type="datetime">2011-03-21T13:00:29+02:00</created-at>',
    `<id type="integer">${index}</id>`,
    `<title>${write(`Suggestion ${index}`)}</title>`,
    '<updated-at type="datetime">2011-03-21T13:00:29+02:00</updated-at>',
    '<votes-cache type="integer">1</votes-cache>',
    '</post>',
  ].join('');

const comment = (index: number, text: string) =>
  `<comment><agent/><comment>${text}</comment><created-at type="datetime">2011-03-21T13:00:29Z</created-at>` +
  `<id type="integer">${index}</id><kind nil="true"/><updated-at type="datetime">2011-03-21T13:00:29Z</updated-at></comment>`;

const user = (index: number, text: string) =>
  `<user><created-at type="datetime">2011-03-21T13:00:29Z</created-at><description nil="true"/><email>u@example.com</email>` +
  `<id type="integer">${index}</id><name>${text}</name><notification>all</notification>` +
  '<updated-at type="datetime">2011-03-21T13:00:29Z</updated-at><www nil="true"/></user>';

type Row = (index: number) => string;

const PAGES: readonly (readonly [name: string, item: string, field: string, value: string, row: Row])[] = [
  ...(
    [
      ['short texts', 'I would like it.', String],
      ['empty texts', '', String],
      ['long texts', 'It would help if the list had filters. '.repeat(50), String],
      ['escaped HTML', HTML.repeat(10), escaped],
      ['much escaped HTML', CODE.repeat(1_000), escaped],
      ['HTML in CDATA', HTML.repeat(5), cdata],
      ['short texts in CDATA', '<p>a</p>', cdata],
      ['letters as entities', POLISH.repeat(20), asEntities],
    ] as const
  ).map(
    ([name, text, write]) =>
      [`posts of ${name}`, 'post', 'content', text, (index: number) => post(index, text, write)] as const,
  ),
  ['comments', 'comment', 'comment', 'ok', (index) => comment(index, 'ok')],
  ['users', 'user', 'name', 'Ada', (index) => user(index, 'Ada')],
];

describe('a page of 1 MiB is read in full', () => {
  test.each(PAGES)('%s', (_name, item, field, value, row) => {
    const count = Math.floor((MEBIBYTE - 100) / row(99_999).length);
    const rows = Array.from({ length: count }, (_none, index) => row(index));
    const page = `<?xml version="1.0" encoding="UTF-8"?>\n<rows type="array">${rows.join('')}</rows>\n`;
    const records = xmlRecords(parseXml(page), item);
    expect(records.problems).toEqual([]);
    expect(records).toHaveLength(count);
    expect(new Set(Array.from(records, (record) => Reflect.get(record, field)))).toEqual(new Set([value]));
    expectFarBelowLimits(page);
  });
});

/** Another page may hold half as much again. */
function expectFarBelowLimits(page: string): void {
  const tags = page.match(/<[a-z][^>]*>/g) ?? [];
  const sections = page.match(/<!\[CDATA/g) ?? [];
  expect(tags.length * 1.5).toBeLessThan(LIMITS.tags);
  expect(new Set(tags).size * 1.5).toBeLessThan(LIMITS['distinct tags']);
  expect(sections.length * 1.5).toBeLessThan(LIMITS['CDATA sections']);
}

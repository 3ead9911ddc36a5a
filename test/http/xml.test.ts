import { describe, expect, test } from 'vitest';
import { BadResponseError } from '../../src/errors.ts';
import { parseXml } from '../../src/formats/xml-document.ts';
import { xmlElement, xmlObject, xmlObjects, xmlRecord, xmlRecords, xmlValue } from '../../src/formats/xml-values.ts';

const valueOf = (text: string) => xmlValue(parseXml(text));
const textIn = (content: string) => valueOf(`<a>${content}</a>`);

describe('text is what was written', () => {
  test.each([
    ...['007', '1e5', '+48123', 'true', '0x10', '-0', 'null', 'Infinity', '1_000', '12345678901234567890'],
    ...[' a ', '  ', '\n', '\t', '\n a \n', '\u00a0', 'ąęż 🪑', '\u0085\u2028\u007f', '>', '"', "'", '=', 'a>b'],
  ])('%j', (text) => expect(textIn(text)).toBe(text));

  test.each([
    ['&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;', '<b> & "c" \'d\''],
    ['&amp;lt;', '&lt;'],
    ['&amp;amp;amp;', '&amp;amp;'],
    ['&amp;#65;', '&#65;'],
    ['&#38;lt;', '&lt;'],
    ['&#243;&#xF3;&#xf3;', 'óóó'],
    ['&#x1F600;&#128512;', '😀😀'],
    ['&#00000000065;&#x0000000041;', 'AA'],
    ['a&nbsp;b', 'a\u00a0b'],
    ['&iexcl;&oacute;&Oacute;&szlig;&yuml;&shy;', '¡óÓßÿ\u00ad'],
    ['&bdquo;a&rdquo; &ndash; &hellip;&euro;', '„a” – …€'],
    ['&amp;nbsp;', '&nbsp;'],
    ['&#9;&#10;&#13;&#32;', '\t\n\r '],
    ['&lt;![CDATA[ x ]]&gt;', '<![CDATA[ x ]]>'],
    ['&lt;!DOCTYPE a&gt;', '<!DOCTYPE a>'],
  ])('entities are decoded once: %s', (written, text) => expect(textIn(written)).toBe(text));

  test.each([
    ['<![CDATA[a <b> &amp; &#65; "c"]]>', 'a <b> &amp; &#65; "c"'],
    ['<![CDATA[]]>', ''],
    ['<![CDATA[ \n ]]>', ' \n '],
    ['a &lt;<![CDATA[&lt;]]>&lt; b', 'a <&lt;< b'],
    ['<![CDATA[a]]]]><![CDATA[>b]]>', 'a]]>b'],
    ['<![CDATA[<!DOCTYPE a [<!ENTITY b "c">]>]]>', '<!DOCTYPE a [<!ENTITY b "c">]>'],
    ['<![CDATA[<!-- no comment -->]]>', '<!-- no comment -->'],
    ['<![CDATA[</a>]]>', '</a>'],
    ['<![CDATA[007]]>', '007'],
  ])('CDATA holds its text as it is: %s', (written, text) => expect(textIn(written)).toBe(text));

  test.each([
    ['a<!-- b -->c', 'ac'],
    ['a<?b c?>d', 'ad'],
    ['a<?xml-b c?>d<?b-xml?><?xmlb?>', 'ad'],
    ['<!---->a<!-- <b> & <!DOCTYPE c> ]]> -->', 'a'],
    ['a<!-->b-->', 'a'],
    ['<?b <!DOCTYPE c> & <d>?>a', 'a'],
  ])('comments and instructions are no text: %s', (written, text) => expect(textIn(written)).toBe(text));

  test('a line ends with a line feed', () => {
    expect(textIn('1\r\n2\r3\n4<![CDATA[\r\n]]>\r<!-- -->\n')).toBe('1\n2\n3\n4\n\n\n');
  });

  test.each(['<a/>', '<a />', '<a></a>', '<a\n></a\n>'])('none is an empty text: %s', (written) => {
    expect(valueOf(written)).toBe('');
  });
});

describe('attributes', () => {
  test('are texts, decoded once', () => {
    const { attributes } = parseXml(
      `<a b="007" c=' "x" > ]]&gt; &amp;lt;&#243; '\n d = "<!--"/>`.replace('<!--', '1\n2\t3'),
    );
    expect(attributes).toEqual({ b: '007', c: ' "x" > ]]> &lt;ó ', d: '1 2 3' });
  });

  test.each([
    ['nil="true"', null],
    ["nil='true'", null],
    ['type="integer" nil="true"', null],
    ['type="array" nil="true"', null],
    ['nil="false"', 'x'],
    ['nil="TRUE"', 'x'],
    ['type="integer"', 'x'],
    ['Type="array"', 'x'],
  ])('%s decides what an element is', (attributes, value) => {
    expect(valueOf(`<a ${attributes}>x</a>`)).toBe(value);
  });
});

describe('elements', () => {
  test('a comment in a comment, in a list of one', () => {
    const text = `<hash><comments type="array"><comment><agent>x</agent><comment> it
      </comment><id type="integer">1</id><kind nil="true"/></comment></comments><post><id>7</id></post></hash>`;
    expect(valueOf(text)).toEqual({
      comments: [{ agent: 'x', comment: ' it\n      ', id: 1, kind: null }],
      post: { id: '7' },
    });
  });

  test('a list is one by its type, however long it is', () => {
    const list = (items: string) => valueOf(`<a type="array">${items}</a>`);
    expect(list('')).toEqual([]);
    expect(list(' \n ')).toEqual([]);
    expect(list('<b/>')).toEqual(['']);
    expect(list('<b>1</b>')).toEqual(['1']);
    expect(list('<b nil="true"/> <b><c>2</c></b>')).toEqual([null, { c: '2' }]);
    expect(list('<b type="array"><c/></b>')).toEqual([['']]);
    expect(valueOf('<nil-classes type="array"/>')).toEqual([]);
  });

  test.each(['toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', 'a.b-c_d', 'x:y', 'xml', 'źdźbło'])(
    '<%s> is a name like any other',
    (name) => expect(valueOf(`<a><${name}>1</${name}></a>`)).toEqual({ [name]: '1' }),
  );

  test.each(['__proto__', 'constructor', 'prototype'])('<%s> is one, too, and reaches no prototype', (name) => {
    const nested = valueOf(`<a><${name}><polluted>1</polluted></${name}></a>`);
    expect(Object.entries(Object(nested))).toEqual([[name, { polluted: '1' }]]);
    expect(Object.entries(parseXml(`<a ${name}="1"/>`).attributes)).toEqual([[name, '1']]);
    expect(nested).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });

  test.each(['nil="true"', 'nil="1"', 'xsi:nil="true"', "i:nil='1'", 'type="integer" xsi:nil="true"'])(
    '%s is null',
    (attributes) => {
      expect(valueOf(`<a><b ${attributes}/></a>`)).toEqual({ b: null });
    },
  );

  test.each(['nil="false"', 'nil="0"', 'nil=""', 'xsi:nil="false"', 'nill="true"', 'vnil="true"'])(
    '%s is not',
    (attributes) => {
      expect(valueOf(`<a><b ${attributes}>x</b></a>`)).toEqual({ b: 'x' });
    },
  );

  test.each(['\n', ' \r\n\t', '\uFEFF\n'])('a declaration may have white space before it: %j', (space) => {
    expect(valueOf(`${space}<?xml version="1.0" encoding="UTF-8"?>\n<a><b>1</b></a>`)).toEqual({ b: '1' });
  });

  test.each(['<b>1</b><b>2</b>', '<b/><b/>', '<b nil="true"/><c/><b/>'])('a name comes once: %s', (content) => {
    expect(() => textIn(content)).toThrow(/comes twice in <a>/);
  });

  test.each(['x<b/>', '<b/>x', '<b/>&#160;<c/>', '<b/><![CDATA[x]]>', '<b/>0'])('no text is lost: %s', (content) => {
    expect(() => textIn(content)).toThrow(/text beside/);
    expect(() => valueOf(`<a type="array">${content}</a>`)).toThrow(/text beside/);
    expect(() => xmlRecords(parseXml(`<a>${content}</a>`), 'b')).toThrow(/text beside/);
  });

  test.each([90, 5_000, 200_000])('%d in each other are read, or refused', (depth) => {
    const deep = () => valueOf(`${'<a>'.repeat(depth)}x${'</a>'.repeat(depth)}`);
    if (depth < 100) expect(JSON.stringify(deep())).toHaveLength(3 + 6 * (depth - 1));
    else expect(deep).toThrow(BadResponseError);
  });

  test('what is wanted is looked for by its name', () => {
    const root = parseXml('<posts><post><id>1</id></post></posts>');
    expect([...xmlRecords(xmlElement(root, 'posts'), 'post')]).toEqual([{ id: '1' }]);
    expect(() => xmlElement(root, 'post')).toThrow('Expected <post>, got another element.');
    expect(xmlObject(parseXml('<a/>'))).toEqual({});
  });
});

describe('an item that is no record is left out, and counted', () => {
  test.each([
    ['<b><c>1</c></b>', 'A record has no id.'],
    ['<b><id nil="true"/></b>', 'A record has no id.'],
    ['<b><id type="integer"> </id></b>', 'A record has no id.'],
    ['<b/>', 'A record has no id.'],
    ['<c><id>1</id></c>', 'Expected <b>, got another element.'],
    ['<b><id>1</id><id>2</id></b>', 'An element comes twice in <b>.'],
    ['<b>x<id>1</id></b>', 'Expected elements in <b>, got text beside them.'],
  ])('%s', (item, reason) => {
    const list = xmlRecords(parseXml(`<a type="array"><b><id>1</id></b>${item}<b><id>2</id></b></a>`), 'b');
    expect([...list]).toEqual([{ id: '1' }, { id: '2' }]);
    expect(list.problems).toEqual([new BadResponseError(`1 of 3 rows was left out: ${reason}`)]);
  });

  test('an object needs no id', () => {
    const list = xmlObjects(parseXml('<a><b><c>1</c></b><d/><b/></a>'), 'b');
    expect([...list]).toEqual([{ c: '1' }, {}]);
    expect(list.problems).toHaveLength(1);
    expect(xmlObjects(parseXml('<a/>'), 'b').problems).toEqual([]);
  });
});

test.each([
  ['integer', '007'],
  ['integer', '9007199254740993'],
  ['decimal', '1.50'],
  ['float', 'NaN'],
  ['double', 'Infinity'],
  ['boolean', 'yes'],
])('a %s that JavaScript would write in another way stays a text: %s', (type, written) => {
  expect(valueOf(`<a type="${type}">${written}</a>`)).toBe(written);
});

describe('white space around a value', () => {
  test.each([
    ...['integer', 'float', 'double', 'decimal'].map((type) => [type, 1] as const),
    ...['datetime', 'dateTime', 'date'].map((type) => [type, '1'] as const),
    ['boolean', true] as const,
  ])('is none of a %s', (type, value) => {
    expect(valueOf(`<a type="${type}">\n 1\t</a>`)).toBe(value);
    expect(valueOf(`<a type="${type}"> </a>`)).toBe('');
  });

  test.each(['', 'type="string"', 'type="symbol"', 'type="INTEGER"'])('belongs to a text: %s', (type) => {
    expect(valueOf(`<a ${type}>\n 1 </a>`)).toBe('\n 1 ');
  });

  test('is no part of an id', () => {
    expect(xmlRecord(parseXml('<a><id>\n 7 </id><b> x </b></a>'))).toEqual({ id: '7', b: ' x ' });
    expect([...xmlRecords(parseXml('<a><b><id type="integer"> 7</id></b></a>'), 'b')]).toEqual([{ id: '7' }]);
    expect(() => xmlRecord(parseXml('<a><id> </id></a>'))).toThrow(/no id/);
  });
});

describe('a nest of lists and objects', () => {
  test('keeps its shape', () => {
    const text = `<hash>
      <rows type="array"><row type="array"><cell> 1 </cell><cell nil="true"/></row><row type="array"/></rows>
      <map><rows>x</rows><map><rows type="array"><map/></rows></map></map>
      <none nil="true"><b/></none><count type="integer" nil="false"> 3 </count>
    </hash>`;
    expect(valueOf(text)).toEqual({
      rows: [[' 1 ', null], []],
      map: { rows: 'x', map: { rows: [''] } },
      none: null,
      count: 3,
    });
  });
});

test('of records with one id the first is taken, and one with other values is told', () => {
  const post = (id: string, title: string) => `<post><id>${id}</id><title>${title}</title></post>`;
  const rows = [post('1', 'a'), post(' 1 ', 'a'), post('1', 'b'), post('2', 'a')].join('');
  const list = xmlRecords(parseXml(`<posts type="array">${rows}</posts>`), 'post');
  expect([...list]).toEqual([
    { id: '1', title: 'a' },
    { id: '2', title: 'a' },
  ]);
  expect(list.problems).toEqual([new BadResponseError('1 of 4 rows was left out: Another row has its id.')]);
});

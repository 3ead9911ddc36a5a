import { describe, expect, test } from 'vitest';
import { BadResponseError } from '../../src/http/errors.ts';
import { parseXml } from '../../src/http/formats/xml-document.ts';
import { xmlObject, xmlRecords, xmlValue } from '../../src/http/formats/xml-values.ts';
import { xml } from '../../src/http/formats/xml.ts';

const valueOf = (text: string) => xmlValue(parseXml(text));
const answer = (text: string | Uint8Array, contentType = 'application/xml; charset=utf-8') => ({
  body: [Buffer.from(text)],
  contentType,
  contentEncoding: '',
});

describe('text stays text', () => {
  test.each([
    ['007'],
    ['1e5'],
    ['true'],
    ['+48123'],
    ['  leading and trailing  '],
    ['   '],
    [''],
    ['zażółć gęślą jaźń 🚀'],
    ['line\nline'],
    ['{"json": [1]}'],
  ])('%j', (text) => {
    expect(valueOf(`<a>${text}</a>`)).toBe(text);
    expect(valueOf(`<a><![CDATA[${text}]]></a>`)).toBe(text);
    expect(valueOf(`<p><a>${text}</a></p>`)).toEqual({ a: text });
  });

  test.each([
    ['&amp;lt;', '&lt;'],
    ['&lt;b&gt; &quot;&apos;', `<b> "'`],
    ['&#243;&#xF3;&#XF3;', null],
    ['&#243;&#xF3;', 'óó'],
    ['&#128640;', '🚀'],
    ['&#13;&#10;&#9;', '\r\n\t'],
    ['&amp;#243;', '&#243;'],
    ['<![CDATA[&amp;<b>]]> &amp; <![CDATA[]]>', '&amp;<b> & '],
    ['a<!-- no --> b<?pi no?>c', 'a bc'],
    ['a\r\nb\rc', 'a\nb\nc'],
    ['<![CDATA[<!DOCTYPE x>]]><!-- <!DOCTYPE y> -->', '<!DOCTYPE x>'],
  ])('%s is read as %j', (text, expected) => {
    if (expected === null) expect(() => valueOf(`<a>${text}</a>`)).toThrow(BadResponseError);
    else expect(valueOf(`<a>${text}</a>`)).toBe(expected);
  });
});

describe('what a value is, its attributes say', () => {
  test.each<[string, unknown]>([
    ['<a nil="true"/>', null],
    ['<a type="integer" nil="true"></a>', null],
    ['<a nil="false">x</a>', 'x'],
    ['<a type="integer">7</a>', '7'],
    ['<a/>', ''],
    ['<a type="array"/>', []],
    ['<a type="array"> </a>', []],
    ['<a type="array"><b>1</b></a>', ['1']],
    ['<a type="array"><b>1</b><b nil="true"/></a>', ['1', null]],
    ['<a><b>1</b><c type="array"><d><e>2</e></d></c></a>', { b: '1', c: [{ e: '2' }] }],
    ['<comment><comment>text</comment></comment>', { comment: 'text' }],
    ["<a nil='true'/>", null],
    ['<?xml version="1.0" encoding="UTF-8"?>\n<!-- c -->\n<a>x</a>\n<!-- d -->\n', 'x'],
    ['\uFEFF<a>x</a>', 'x'],
  ])('%s', (text, expected) => {
    expect(valueOf(text)).toEqual(expected);
  });

  test('a list has its items by their name, however many they are', () => {
    const list = (items: string) => [...xmlRecords(parseXml(`<posts type="array">${items}</posts>`), 'post')];
    expect(list('')).toEqual([]);
    expect(list('<post><id type="integer">7</id></post>')).toEqual([{ id: '7' }]);
    expect(list('<post><id>7</id></post> <post><id>8</id></post>')).toEqual([{ id: '7' }, { id: '8' }]);
    expect(list('<post><id>7</id></post><user><id>8</id></user>')).toEqual([{ id: '7' }]);
    expect(list('<post><title>no id</title></post>')).toEqual([]);
    expect(list('<post><id>9007199254740993</id></post>')).toEqual([{ id: '9007199254740993' }]);
  });

  test.each(['<a><b>1</b><b>2</b></a>', '<a>text<b>1</b></a>', '<a type="array">text<b/></a>'])(
    '%s would lose something',
    (text) => expect(() => valueOf(text)).toThrow(BadResponseError),
  );

  test('names that are special in JavaScript are names, or a bad response', () => {
    expect(xmlObject(parseXml('<a><toString>1</toString></a>'))).toEqual({ toString: '1' });
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      try {
        expect(Object.entries(xmlObject(parseXml(`<a><${name}>1</${name}></a>`)))).toEqual([[name, '1']]);
      } catch (error) {
        expect(error).toBeInstanceOf(BadResponseError);
      }
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('what is not well-formed is no answer', () => {
  test.each([
    ['nothing', ''],
    ['text', 'text'],
    ['JSON', '{"a":1}'],
    ['an unclosed element', '<a><b></a>'],
    ['an unclosed root', '<a>'],
    ['two roots', '<a/><b/>'],
    ['text behind the root', '<a/>text'],
    ['text before the root', 'text<a/>'],
    ['a wrong end', '<a><b></a></b>'],
    ['a bare ampersand', '<a>AT&T</a>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['an unknown entity', '<a>&unknown;</a>'],
    ['an unknown entity in an attribute', '<a b="&x;"/>'],
    ['a NUL', '<a>\u0000</a>'],
    ['a control character', '<a>\u0001</a>'],
    ['a reference to NUL', '<a>&#0;</a>'],
    ['a reference to a surrogate', '<a>&#xD800;</a>'],
    ['a reference beyond Unicode', '<a>&#x110000;</a>'],
    ['the end of CDATA in text', '<a>]]></a>'],
    ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ['a DOCTYPE in small letters', '<!doctype html><a/>'],
    ['a DOCTYPE inside', '<a><!DOCTYPE b></a>'],
    ['a nest of 20,000', `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`],
    ['an unclosed comment', '<a/><!-- '],
    ['an unclosed CDATA', '<a><![CDATA[x</a>'],
  ])('%s', (_name, text) => {
    expect(() => parseXml(text)).toThrow(BadResponseError);
  });

  test.each([
    ['HTML', answer('<html></html>', 'text/html')],
    ['JSON', answer('{}', 'application/json')],
    ['XHTML', answer('<html/>', 'application/xhtml+xml')],
    ['another encoding', answer('<?xml version="1.0" encoding="ISO-8859-3"?><a>x</a>')],
    ['bytes that are no UTF-8', answer(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]))],
    ['an empty body', answer('')],
    ['a compressed one', { ...answer('<a/>'), contentEncoding: 'gzip' }],
  ])('%s is no XML response', (_name, given) => {
    expect(() => xml.parse(given, 'FORUM_URL')).toThrow(BadResponseError);
  });

  test.each(['application/xml', 'text/xml; charset=utf-8', 'application/atom+xml', ''])(
    '%j may be XML',
    async (type) => {
      expect(xmlValue(await xml.parse(answer('<a>ó</a>', type), 'FORUM_URL'))).toBe('ó');
    },
  );
});

describe('what is sent', () => {
  const read = (body: unknown) => valueOf(xml.encode(body));

  test.each(['& < > " \' ]]>', '<![CDATA[x]]>', '  spaces  ', 'a\r\nb\rc\n\td', 'zażółć 🚀', '&amp;', '007', ''])(
    '%j comes back as it was',
    (text) => {
      expect(read({ post: { title: text, content: 'x' } })).toEqual({ title: text, content: 'x' });
    },
  );

  test('what is left out is not sent, null is nil', () => {
    expect(xml.encode({ post: { title: undefined, content: null } })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<post><content nil="true"/></post>',
    );
  });

  test.each(['\u0000', 'a\u0007b', '\u001B', '\uFFFE', '\uD800', 'x\uDC00'])('%j is refused by its field', (text) => {
    expect(() => xml.encode({ post: { title: 'fine', content: text } })).toThrow(
      expect.objectContaining({ fields: { content: [expect.stringContaining('cannot carry')] } }),
    );
  });
});

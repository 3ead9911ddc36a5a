import { describe, expect, test } from 'vitest';
import { BadResponseError } from '../../src/errors.ts';
import { parseXml } from '../../src/formats/xml-document.ts';
import { xmlValue } from '../../src/formats/xml-values.ts';

function expectRefused(text: string, message = /^Expected XML/): void {
  expect(() => parseXml(text)).toThrow(BadResponseError);
  expect(() => parseXml(text)).toThrow(message);
}

describe('a text that is no XML is refused', () => {
  test.each([
    ...[
      '',
      ' ',
      'ok',
      '"ok"',
      '{}',
      '{"id":1}',
      '[1]',
      'null',
      '<',
      '>',
      '<>',
      '</a>',
      '<!-- a -->',
      '<?a?>',
      '\uFEFF',
    ],
    ...[
      '<a>',
      '<a',
      '<a></b>',
      '<a><b></a></b>',
      '<a></a></a>',
      '<a><b></a>',
      '<a><b/ ></a>',
      '< a/>',
      '<a / >',
      '</ a>',
    ],
    ...['<a/><b/>', '<a/><a/>', '<a/>x', 'x<a/>', '<a/>&#32;', '<a/>\u00a0', '\u00a0<a/>', '<![CDATA[x]]><a/>'],
    ...['<a/><![CDATA[ ]]>', '<1/>', '<-a/>', '<.a/>', '<a×/>', '<a b/>', '<a b=c/>', '<a b="1" b="2"/>', '<a/b="1">'],
    ...[
      '<a b="1" b =\'2\'/>',
      '<a b="1"c="2"/>',
      '<a b="<"/>',
      '<a b="1/>',
      '<a b="1\'/>',
      '<a ="1"/>',
      '<a></a b="1">',
    ],
    ...[
      '<a>]]></a>',
      '<a><b></a>',
      '<a>1 < 2</a>',
      '<a><</a>',
      '<a>x<</a>',
      '<a><![CDATA[x</a>',
      '<a><![CDATA[x]]</a>',
    ],
    ...[
      '<a><![cdata[x]]></a>',
      '<a><!-- x</a>',
      '<a><!-- -- --></a>',
      '<a><!-- x ---></a>',
      '<a><!x></a>',
      '<a><!></a>',
    ],
    ...['<a><!ELEMENT b></a>', '<a><!ENTITY b "c"></a>', '<a><?></a>', '<a><??></a>', '<a><?x</a>', '<a><? x?></a>'],
    ...['x<?xml version="1.0"?><a/>', '<a/><?xml version="1.0"?>', '<a><?xml version="1.0"?></a>', '<a><?XML?></a>'],
    ...['<?xml?><a/>', '<?xml version="2.0"?><a/>', '<?xml version="1.0"?><?xml version="1.0"?><a/>'],
    ...['<?xml encoding="UTF-8"?><a/>', '<?xml version="1.0" standalone="maybe"?><a/>', '\uFEFF\uFEFF<a/>'],
    ...[
      '<a>&lt<!-- -->;</a>',
      '<a>&#6<?x?>5;</a>',
      '<a><!-- -->&<!-- -->amp;</a>',
      '<a b="1"<!-- -->c="2"/>',
      '<a <?x?>/>',
    ],
    ...[
      '<a/><![CDATA[]]>',
      '<a></a\u00a0>',
      '<a\u00a0b="1"/>',
      '<a b="1" =c="2"/>',
      '<a><![IGNORE[x]]></a>',
      '<a></></a>',
    ],
    ...['<br><p>Hello', '<html><body><br></body></html>', '<p class=x>a</p>', '<input disabled/>'],
  ])('%j', (text) => expectRefused(text));

  test.each([
    ...[
      '&',
      '& ',
      'a & b',
      '&amp',
      '&;',
      '&#;',
      '&#x;',
      '&#x',
      '&#65',
      '&#a;',
      '&#xg;',
      '&# 65;',
      '&#-1;',
      '&a-b;',
      '&&amp;',
    ],
    ...[
      '&foo;',
      '&nbsp',
      '&Nbsp;',
      '&oacute ;',
      '&AMP;',
      '&Lt;',
      '&toString;',
      '&__proto__;',
      '&constructor;',
      '&#X41;',
      '&amp ;',
    ],
    ...['&#0;', '&#1;', '&#8;', '&#x1F;', '&#xB;', '&#xD800;', '&#xDFFF;', '&#xD83D;&#xDE00;', '&#xFFFE;', '&#65535;'],
    ...['&#x110000;', '&#99999999;', '&#x1000000;', '&#99999999999999999999;'],
  ])('a reference to nothing: %s', (reference) => {
    expectRefused(`<a>${reference}</a>`);
    expectRefused(`<a b="${reference}"/>`);
  });

  test('a reference that is refused is not repeated, for it may be a part of a secret', () => {
    expect(() => parseXml('<a>&canary;</a>')).toThrow(/^((?!canary).)*$/);
  });

  test.each(['\u0000', '\u0001', '\u0008', '\u000B', '\u000C', '\u001F', '\uFFFE', '\uFFFF', '\uD800', '\uDC00\uD800'])(
    'the character %j, anywhere',
    (character) => {
      for (const text of [`<a>${character}</a>`, `<a b="${character}"/>`, `<a><!--${character}--></a>`])
        expectRefused(text);
      for (const text of [`<a><![CDATA[${character}]]></a>`, `<a/>${character}`, `${character}<a/>`])
        expectRefused(text);
    },
  );
});

describe('a DOCTYPE is refused', () => {
  test.each([
    ...['<!DOCTYPE a><a/>', '<!doctype html><html/>', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', '<a/><!DOCTYPE a>'],
    ...['<?xml version="1.0"?>\n<!-- x --><!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', '<a>x<!DOCTYPE a>y</a>'],
    ...['\uFEFF<!DOCTYPE a><a/>', '<a><b/><!DOCTYPE a></a>', '<!DOCTYPE', '<a><!-- --><!DOCTYPE a><!-- --></a>'],
  ])('%s', (text) => expectRefused(text, /without a DOCTYPE/));

  test('a DOCTYPE is refused although attributes look like a comment around it', () => {
    expectRefused('<a b="<!--"><!DOCTYPE a><c d="-->"/></a>');
    expectRefused('<a b=">--"/><!DOCTYPE a><c d="-->"/>');
    expect(parseXml('<a b="!--&gt;"><c d="--&gt;"/></a>').children).toHaveLength(1);
  });

  test('a DOCTYPE within CDATA, a comment or an attribute is text', () => {
    expect(xmlValue(parseXml('<!-- <!DOCTYPE a> --><a b="!DOCTYPE"><![CDATA[<!DOCTYPE a>]]></a>'))).toBe(
      '<!DOCTYPE a>',
    );
  });
});

test.each([
  '<!-- x -->',
  '<?x y?>',
  '\n',
  '<?xml version="1.0"?>',
  "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n",
])('what may come before and after the root is passed over: %j', (before) => {
  expect(xmlValue(parseXml(`${before}<a>x</a>`))).toBe('x');
  if (!before.startsWith('<?xml')) expect(xmlValue(parseXml(`<a>x</a>${before}${before}`))).toBe('x');
  expect(xmlValue(parseXml(`\uFEFF${before}<a>x</a>`))).toBe('x');
});

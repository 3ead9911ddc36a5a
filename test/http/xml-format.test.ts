import { describe, expect, test } from 'vitest';
import { BadResponseError } from '../../src/errors.ts';
import { parseXml } from '../../src/formats/xml-document.ts';
import { xmlValue } from '../../src/formats/xml-values.ts';
import { xml } from '../../src/formats/xml.ts';

// Whole responses and requests in XML. What a document may hold is tested in xml.test.ts and xml-broken.test.ts.

const answer = (text: string | Uint8Array, contentType = 'application/xml; charset=utf-8') => ({
  body: [Buffer.from(text)],
  contentType,
  contentEncoding: '',
});

test.each([
  ['HTML', answer('<html></html>', 'text/html')],
  ['JSON', answer('{}', 'application/json')],
  ['XHTML', answer('<html/>', 'application/xhtml+xml')],
  ['another encoding', answer('<?xml version="1.0" encoding="ISO-8859-3"?><a>x</a>', 'application/xml')],
  ['bytes that are not UTF-8', answer(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]))],
  ['an empty body', answer('')],
  ['a compressed one', { ...answer('<a/>'), contentEncoding: 'gzip' }],
])('%s is no XML response', (_name, given) => {
  expect(() => xml.parse(given, 'FORUM_URL')).toThrow(BadResponseError);
});

test.each(['application/xml', 'text/xml; charset=utf-8', 'application/atom+xml', ''])(
  'the content type %j may be XML',
  async (type) => {
    expect(xmlValue(await xml.parse(answer('<a>ó</a>', type), 'FORUM_URL'))).toBe('ó');
  },
);

describe('what is sent', () => {
  test.each(['& < > " \' ]]>', '<![CDATA[x]]>', '  spaces  ', 'a\r\nb\rc\n\td', 'zażółć 🚀', '&amp;', '007', ''])(
    '%j comes back as it was',
    (title) => {
      const sent = xml.encode({ post: { title, content: 'x' } });
      expect(xmlValue(parseXml(sent))).toEqual({ title, content: 'x' });
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

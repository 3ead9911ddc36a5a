import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { forumOver, saysXml } from '../forum/support.ts';

// The content types, bytes and sizes of XML responses that the gateway accepts.

const USER = '<user><name>Zażółć</name></user>';
const READ = '{ forumMe { name } }';

const answered = async (...answer: Parameters<typeof saysXml>) => (await forumOver(saysXml(...answer))).execute(READ);

async function expectRefused(message: RegExp, ...answer: Parameters<typeof saysXml>): Promise<void> {
  const { data, errors } = await answered(...answer);
  expect(data).toEqual({ forumMe: null });
  const upstream = { api: 'forum', endpoint: 'GET /app/users/me.xml' };
  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BAD_RESPONSE', upstream } }]);
  expect(errors[0]?.message).toMatch(message);
  expect(JSON.stringify(errors)).not.toMatch(/127\.0\.0\.1|https?:/);
}

describe('the content type', () => {
  test.each(['application/xml', 'text/xml', 'APPLICATION/XML; charset=UTF-8', 'application/rss+xml', ''])(
    '%j is one of XML',
    async (type) => {
      const { data } = await answered(USER, { headers: { 'content-type': type } });
      expect(data).toEqual({ forumMe: { name: 'Zażółć' } });
    },
  );

  test.each(['text/html', 'application/json', 'text/plain', 'application/xhtml+xml', 'application/octet-stream'])(
    '%s is none',
    async (type) => {
      await expectRefused(/another type of content.*FORUM_URL/, USER, { headers: { 'content-type': type } });
      await expectRefused(/FORUM_URL/, '<html><body>Log in</body></html>', { headers: { 'content-type': type } });
    },
  );
});

describe('the bytes', () => {
  const declaring = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
  test.each([
    ['a byte order mark', `\uFEFF${USER}`],
    ['a declaration', `<?xml version="1.0" encoding="UTF-8"?>\n${USER}`],
    ['a declaration in small letters', `<?xml version='1.0' encoding='utf-8'?>${USER}`],
    ['both', `\uFEFF<?xml version="1.0" encoding="UTF-8"?>${USER}`],
  ])('are UTF-8: %s', async (_name, body) => {
    expect((await answered(body)).data).toEqual({ forumMe: { name: 'Zażółć' } });
  });

  test.each([
    ['another encoding', '<?xml version="1.0" encoding="ISO-8859-5"?><user/>'],
    ['another encoding after a byte order mark', '\uFEFF<?xml version="1.0" encoding="UTF-16"?><user/>'],
    ['another encoding in other quotes', "<?xml version = '1.0'\n encoding = 'utf-7' ?><user/>"],
    ['another encoding far behind', `<?xml version="1.0"${' '.repeat(400)}encoding="windows-1251"?><user/>`],
    [
      'UTF-8 as declared',
      Buffer.from('<?xml version="1.0" encoding="UTF-8"?><user><name>Za\xbf</name></user>', 'latin1'),
    ],
    ['Latin 2', Buffer.from('<user><name>Za\xbf</name></user>', 'latin1')],
    ['UTF-16', Buffer.from(USER, 'utf16le')],
    ['UTF-16 that ends within a character', Buffer.from(`\uFEFF${USER}`, 'utf16le').subarray(0, -1)],
    ['UTF-16 with half of a surrogate pair', Buffer.from(`\uFEFF<user><name>\ud800</name></user>`, 'utf16le')],
    [
      'half of a character',
      Buffer.concat([Buffer.from('<user><name>'), Buffer.from([0xc5]), Buffer.from('</name></user>')]),
    ],
    ['a surrogate', Buffer.concat([Buffer.from('<user>'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('</user>')])],
    ['an overlong form', Buffer.concat([Buffer.from('<user>'), Buffer.from([0xc0, 0xbc]), Buffer.from('</user>')])],
  ])('are not %s', async (_name, body) =>
    expectRefused(/UTF-8/, body, { headers: { 'content-type': 'application/xml' } }),
  );

  const littleEndian = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
  const bigEndian = (text: string) => littleEndian(text).swap16();
  test.each(['', 'application/xml', 'application/xml; charset=utf-16', 'text/xml; charset=utf-8'])(
    'are UTF-16 where they begin with its mark, whatever is declared: as %j',
    async (type) => {
      for (const encode of [littleEndian, bigEndian]) {
        for (const declaration of ['', '<?xml version="1.0" encoding="UTF-16"?>', declaring('iso-8859-2')]) {
          const { data, errors } = await answered(encode(`${declaration}<user><name>Zażółć 🪑</name></user>`), {
            headers: { 'content-type': type },
          });
          expect({ data, errors }).toEqual({ data: { forumMe: { name: 'Zażółć 🪑' } }, errors: [] });
        }
      }
    },
  );

  test('in UTF-16 hide no DOCTYPE, no second root and no web page', async () => {
    await expectRefused(/without a DOCTYPE/, littleEndian(`<!DOCTYPE user>${USER}`));
    await expectRefused(/Expected/, bigEndian(`${USER}${USER}`));
    const { execute } = await forumOver(saysXml(bigEndian('<html><body>Log in</body></html>')));
    const { errors } = await execute('mutation { deleteForumPost(id: 7) { __typename } }');
    expect(errors).toMatchObject([{ message: expect.stringMatching(/web page.*FORUM_URL/) }]);
  });

  const inLatin = (text: string) => Buffer.from(`${text}<user><name>Za\xbf\xf3\xb3\xe6 \x80</name></user>`, 'latin1');
  test.each([
    ['application/xml', declaring('ISO-8859-2'), 'Zażółć \u0080'],
    ['application/xml', declaring('windows-1250'), 'Zażółć €'],
    ['application/xml', declaring('iso-8859-1'), 'Za¿ó³æ €'],
    ['application/xml', declaring('Windows-1252'), 'Za¿ó³æ €'],
    ['application/xml', declaring('cp1250'), 'Zażółć €'],
    ['application/xml', declaring('CP-1250'), 'Zażółć €'],
    ['application/xml', declaring('x-cp1250'), 'Zażółć €'],
    ['application/xml', declaring('win-1250'), 'Zażółć €'],
    ['application/xml', declaring('Windows1250'), 'Zażółć €'],
    ['application/xml', declaring('cp1252'), 'Za¿ó³æ €'],
    ['application/xml', declaring('latin1'), 'Za¿ó³æ €'],
    ['application/xml', declaring('Latin-1'), 'Za¿ó³æ €'],
    ['application/xml', declaring('iso8859-2'), 'Zażółć \u0080'],
    ['application/xml', declaring('ISO_8859-2'), 'Zażółć \u0080'],
    ['application/xml', declaring('latin2'), 'Zażółć \u0080'],
    ['application/xml; charset=cp1250', '', 'Zażółć €'],
    ['application/xml; charset=utf-8', declaring('cp1250'), 'Zażółć €'],
    ['application/xml; charset=utf-8', declaring('windows-1250'), 'Zażółć €'],
    ['application/xml; charset=windows-1250', '', 'Zażółć €'],
    ['text/xml;Charset="ISO-8859-2"', '', 'Zażółć \u0080'],
    ['text/xml; charset=ISO-8859-2', declaring('windows-1250'), 'Zażółć \u0080'],
  ])('may be of another encoding that is declared: %s %s', async (type, declaration, name) => {
    const { data, errors } = await answered(inLatin(declaration), { headers: { 'content-type': type } });
    expect({ data, errors }).toEqual({ data: { forumMe: { name } }, errors: [] });
  });

  test.each(['application/xml; charset=iso-8859-1', 'application/xml; charset=us-ascii'])(
    'are UTF-8 where the declaration says so, and they are: %s',
    async (type) => {
      const { data } = await answered(`${declaring('UTF-8')}${USER}`, { headers: { 'content-type': type } });
      expect(data).toEqual({ forumMe: { name: 'Zażółć' } });
    },
  );

  test.each([
    ['application/xml; charset=utf-8', declaring('utf-16')],
    ['application/xml; charset=utf-8', declaring('x-unknown')],
    ['application/xml; charset=utf-16', declaring('UTF-8')],
    ['application/xml; charset=x-unknown', declaring('utf-8')],
    ['application/xml; charset=utf-8', declaring('iso-8859-2')],
  ])('are UTF-8 where either says so, and they are, whatever the other says: %s %s', async (type, declaration) => {
    const { data, errors } = await answered(`${declaration}${USER}`, { headers: { 'content-type': type } });
    expect({ data, errors }).toEqual({ data: { forumMe: { name: 'Zażółć' } }, errors: [] });
  });

  test('are refused in another encoding of the content type that is not known', async () => {
    await expectRefused(/UTF-8/, USER, { headers: { 'content-type': 'application/xml; charset=utf-16' } });
    const known = { headers: { 'content-type': 'application/xml; charset=windows-1250' } };
    await expectRefused(/UTF-8/, inLatin(declaring('x-unknown')), known);
  });

  test('hide no DOCTYPE in another encoding', async () => {
    await expectRefused(/without a DOCTYPE/, inLatin(`${declaring('windows-1250')}<!DOCTYPE user>`));
  });

  test.each(['br', 'x', 'gzip, gzip'])('are packed as their header says: %s', async (encoding) => {
    await expectRefused(/compression/, gzipSync(USER), { headers: { 'content-encoding': encoding } });
  });

  test('may be packed', async () => {
    const { data } = await answered(gzipSync(USER), { headers: { 'content-encoding': 'gzip' } });
    expect(data).toEqual({ forumMe: { name: 'Zażółć' } });
  });

  test('a response may declare that it is not compressed', async () => {
    const { data } = await answered(USER, { headers: { 'content-encoding': 'identity' } });
    expect(data).toEqual({ forumMe: { name: 'Zażółć' } });
  });
});

test.each(['', ' ', '\n\r\n', '\uFEFF'])('nothing is no answer to a read: %j', async (body) =>
  expectRefused(/empty|broken/, body),
);

test.each([
  '{"id":1}',
  '<user>',
  '<user/><user/>',
  '<!DOCTYPE user><user/>',
  '<user>&nbsp;</user>',
  'ok',
  '<users type="array"/>',
])('%s is no user', async (body) => expectRefused(/Expected/, body));

describe('the size', () => {
  const sized = (bytes: number) => {
    const [start, end] = ['<user><name>', '</name></user>'];
    return start + 'x'.repeat(bytes - start.length - end.length) + end;
  };

  test('is at most 1 MB', async () => {
    const { data } = await answered(sized(2 ** 20));
    expect(data).toMatchObject({ forumMe: { name: expect.stringMatching(/^x{1000000}/) } });
    await expectRefused(/more than 1048576 bytes: raise MAX_XML_BYTES/, sized(2 ** 20 + 1));
  });

  test('is what MAX_XML_BYTES says', async () => {
    const settings = { MAX_XML_BYTES: 2_000 };
    expect((await (await forumOver(saysXml(sized(2_000)), settings)).execute(READ)).errors).toEqual([]);
    const { errors } = await (await forumOver(saysXml(sized(2_001)), settings)).execute(READ);
    expect(errors).toMatchObject([{ message: expect.stringMatching(/more than 2000 bytes.*MAX_XML_BYTES/) }]);
  });
});

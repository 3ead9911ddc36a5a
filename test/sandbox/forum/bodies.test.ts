import { describe, expect, test } from 'vitest';
import { forumSandbox, plain, texts } from './support.ts';

const path = '/app/posts.xml';
const titled = (title: string) => `<post><title>${title}</title></post>`;

describe('a text in an XML body', () => {
  test.each([
    ['007', '007'],
    ['1e5', '1e5'],
    ['true', 'true'],
    ['+48123', '+48123'],
    [' spaces, \n lines\t', ' spaces, \n lines\t'],
    ['a &amp; &lt;b&gt; &quot;c&quot; &apos;d&apos;', 'a & <b> "c" \'d\''],
    ['&#243;&#xF3;&#x1FA91;&#13;', 'óó🪑\r'],
    ['&amp;amp; &amp;#243;', '&amp; &#243;'],
    ['<![CDATA[ <b>&amp;</b> 007 <!DOCTYPE html> ]]>', ' <b>&amp;</b> 007 <!DOCTYPE html> '],
    ['a <![CDATA[&]]><![CDATA[<]]> z', 'a &< z'],
    ['a<!-- no --> b<?no no?> c', 'a b c'],
    ['line\r\nline', 'line\nline'],
    ['constructor', 'constructor'],
  ])('%j is read as %j', async (sent, kept) => {
    const { post, readPost } = await forumSandbox();
    for (const attributes of ['', ' type="string"', ' type="integer"', ' nil="false"']) {
      const body = `<post>\n <title>T</title>\n <content${attributes}>${sent}</content>\n</post>\n`;
      const { text } = await post(path, body);
      expect(await readPost(Number(texts(text, 'id')[0]))).toMatchObject({ title: 'T', content: kept });
    }
  });

  test('a nil element is null, an empty element is the empty text, and unknown elements are ignored', async () => {
    const { post } = await forumSandbox();
    const body = (inner: string) =>
      `<?xml version="1.0" encoding="utf-8"?>\n<!-- c -->${titled(`T</title>${inner}<title>`).replace('<title></title>', '')}`;
    expect((await post(path, body('<content nil="true">x</content>'))).text).toContain('<content nil="true"/>');
    expect((await post(path, body(''))).text).toContain('<content nil="true"/>');
    expect((await post(path, body('<content/>'))).text).toContain('<content></content>');
    expect((await post(path, body('<id>9</id><status>done</status><x><y/></x>'))).text).toContain('<status>new');
  });

  test('characters that XML forbids are removed from responses', async () => {
    const { makePost, category, get } = await forumSandbox();
    const { id } = await makePost({ title: 'a\u0001\u000b\ufffe\ud83e\tb\u0085', category_id: category('Main') });
    expect((await get(`/app/posts/${id}.xml`)).text).toContain('<title>a\tb\u0085</title>');
  });
});

describe('a body', () => {
  test.each([
    ['nothing', ''],
    ['no XML', 'title=T'],
    ['JSON', '{"post":{"title":"T"}}'],
    ['an element that is not closed', '<post><title>T</title>'],
    ['elements that cross', '<post><title>T</post></title>'],
    ['two roots', titled('T') + titled('T')],
    ['text after the root', `${titled('T')}x`],
    ['text before the root', `x${titled('T')}`],
    ['a CDATA section after the root', `${titled('T')}<![CDATA[x]]>`],
    ['another root', '<task><title>T</title></task>'],
    ['another case of the root', '<Post><title>T</title></Post>'],
    ['the root inside another', `<posts>${titled('T')}</posts>`],
    ['the end of an element that hides the root', `</document>${titled('T')}<document>`],
    ['a DOCTYPE', `<!DOCTYPE post [<!ENTITY e "x">]>${titled('&e;')}`],
    ['a DOCTYPE that defines nothing', `<!DOCTYPE post>${titled('T')}`],
    ['a DOCTYPE that defines what is not used', `<!DOCTYPE post [<!ENTITY e "x">]>${titled('T')}`],
    ['a doctype in small letters', `<!doctype post>${titled('T')}`],
    ['an external entity', `<!DOCTYPE post [<!ENTITY e SYSTEM "file:///etc/hostname">]>${titled('&e;')}`],
    ['an unknown entity', titled('&nbsp;')],
    ['an entity named like a member of every object', titled('&constructor;')],
    ['a bare ampersand', titled('a & b')],
    ['a reference to no character', titled('&#0;')],
    ['a reference to half a character', titled('&#xD800;')],
    ['a reference beyond Unicode', titled('&#x110000;')],
    ['a control character', titled('\u0001')],
    ['an attribute that is repeated', '<post a="1" a="2"><title>T</title></post>'],
    ['an attribute without quotes', '<post a=1><title>T</title></post>'],
    ['a declaration that comes late', ` <?xml version="1.0"?>${titled('T')}`],
    ['another encoding', `<?xml version="1.0" encoding="ISO-8859-2"?>${titled('T')}`],
    ['a nesting too deep', `<post>${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</post>`],
    ['a name that JavaScript reserves', '<post><title>T</title><__proto__>x</__proto__></post>'],
  ])('with %s is 400 in plain text', async (_what, body) => {
    const { post, tasks } = await forumSandbox();
    const { status, type } = await post(path, body);
    expect({ status, type }).toEqual({ status: 400, type: plain });
    expect(await tasks()).toEqual([]);
  });

  test('is UTF-8, with or without a byte order mark', async () => {
    const { call, post } = await forumSandbox();
    const body = Buffer.from(titled('\u00ff'), 'latin1');
    expect((await call('POST', path, { body })).status).toBe(400);
    expect((await post(path, `\ufeff<?xml version="1.0"?>${titled('T')}`)).status).toBe(201);
  });

  test('of a type that is not XML is 415 in plain text', async () => {
    const { call, tasks } = await forumSandbox();
    const form = 'application/x-www-form-urlencoded';
    for (const type of ['application/json', 'text/plain', form, 'application/xmlx', 'text/html', '']) {
      expect(await call('POST', path, { body: titled('T'), type }), type).toMatchObject({ status: 415, type: plain });
    }
    expect(await tasks()).toEqual([]);
    for (const type of [
      'application/xml',
      'text/xml',
      'application/xml; charset=utf-8',
      'Application/XML;charset=UTF-8',
    ]) {
      expect((await call('POST', path, { body: titled('T'), type })).status, type).toBe(201);
    }
  });

  test('of 1 MB is read, a byte more is 413 in plain text', async () => {
    const { post } = await forumSandbox();
    const sized = (size: number) => titled('T').padEnd(size, ' ');
    expect((await post(path, sized(1024 * 1024))).status).toBe(201);
    expect(await post(path, sized(1024 * 1024 + 1))).toMatchObject({ status: 413, type: plain });
  });
});

import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { rawUpstream } from '../support/stub-upstream.ts';

// Bytes of cookies beyond ASCII pass as they are in both directions. A text of `latin1` has a character for each byte.

/** Values by name, as bytes: `é` and `à` of ISO-8859-1, a text of UTF-8 with the byte A0, and each byte beyond ASCII. */
const VALUES: readonly [name: string, value: string][] = [
  ['ISO-8859-1', 'caf\xe9'],
  ['UTF-8', Buffer.from('żółć-à').toString('latin1')],
  ['a non-breaking space at the end', 'x\xa0'],
  ['a non-breaking space at the beginning', '\xa0x'],
  ['each byte', String.fromCharCode(...Array.from({ length: 0x80 }, (_none, index) => 0x80 + index))],
];

const QUERY = 'publicFlexDb(code: "book") { list { nodes { id } } }';

/** The ways on which a request is answered, by its query and its headers. */
const WAYS: readonly [way: string, query: string, headers: string][] = [
  ['the direct way', `{ ${QUERY} }`, ''],
  ['with an error', `{ ${QUERY} client(id: 1) { id } }`, ''],
  ['the way of Yoga', `{ ${QUERY} }`, 'content-encoding: identity\r\n'],
  ['in parts', `{ ... @defer { ${QUERY} } }`, 'accept: multipart/mixed\r\n'],
  [
    'in parts, of which the first has the cookie',
    `{ ${QUERY} ... @defer { __typename } }`,
    'accept: multipart/mixed\r\n',
  ],
];

/** Sends a request as bytes, and gives the whole answer as bytes. */
async function bytesOf(url: string, query: string, headers: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ query });
  const head = `POST /graphql HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\ncontent-type: application/json\r\n`;
  socket.write(`${head}${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, 'latin1');
  return (await buffer(socket)).toString('latin1');
}

/** An upstream that sends this cookie, and the heads of the requests that it received. */
async function setting(value: string) {
  const heads: string[] = [];
  const upstream = await rawUpstream((socket, request) => {
    heads.push(request);
    const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nset-cookie: flex_key=${value}; HttpOnly\r\n`;
    socket.end(`${answer}content-length: 2\r\n\r\n[]`, 'latin1');
  });
  const { url } = await gatewayOver(upstream.url, { FLEX_COOKIES: ['flex_key'] });
  return { url, heads };
}

describe.each(VALUES)('a cookie of %s', (_name, value) => {
  test('passes to upstream as it is', async () => {
    const { url, heads } = await setting('new');
    await bytesOf(url, `{ ${QUERY} }`, `cookie: a=b; flex_key=${value}; c=d\r\n`);
    expect(heads.map((head) => /^cookie: (.*)\r$/m.exec(head)?.[1])).toEqual([`flex_key=${value}`]);
  });

  test.each(WAYS.filter(([way]) => way !== 'in parts'))(
    'passes to the caller as it is: %s',
    async (_way, query, headers) => {
      const { url } = await setting(value);
      const answer = await bytesOf(url, query, headers);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(/^set-cookie: (.*)\r$/im.exec(answer)?.[1]).toBe(`flex_key=${value}; Path=/; HttpOnly`);
    },
  );
});

import type { Faithful } from './corpus.ts';
import { editedJson, editedXml } from './edits.ts';
import { hostileText } from './hostile-texts.ts';
import { spellings } from './spellings.ts';
import type { Tape } from './tape.ts';

/** The bytes of an answer, and how its connection goes on. */
export interface HostileAnswer {
  readonly bytes: Buffer;
  readonly ending: 'close' | 'keep' | 'reset' | 'hang';
}

const STATUSES = [
  ...[400, 401, 403, 404, 409, 418, 422, 429, 500, 503, 599, 200, 201, 204, 302, 304],
  ...[205, 206, 300, 301, 307, 402, 405, 408, 410, 413, 451, 501, 502, 504, 226],
] as const;

const TYPES = [
  ...['text/html', '', 'application/json; charset=utf-16', 'application/xml; charset=iso-8859-1', 'image/png'],
  ...[
    'application/json;charset="',
    'text/xml; charset=none',
    'APPLICATION/JSON',
    'multipart/mixed; boundary=x',
    '\xff',
  ],
] as const;

/**
 * An answer to a request: the faithful one on an empty tape, else with edits in its body, or another body, status, type,
 * headers or framing.
 *
 * @param secrets credentials that the request carried, for the answer to repeat
 */
export function hostileAnswer(tape: Tape, faithful: Faithful, secrets: readonly string[]): HostileAnswer {
  if (tape.once(60)) return { bytes: Buffer.alloc(0), ending: tape.pick(['close', 'reset', 'hang']) };
  const echo = echoOf(tape, secrets);
  const status = tape.roll(5) < 3 ? faithful.status : tape.pick(STATUSES);
  const contentType = tape.roll(8) < 7 ? faithful.contentType : tape.pick(TYPES);
  const body = Buffer.from(bodyOf(tape, faithful, echo), tape.once(20) ? tape.pick(['latin1', 'utf16le']) : 'utf8');
  const bytes = tape.once(30) ? Buffer.concat([body, Buffer.from([0xff, 0xfe, 0])]) : body;
  return framed(tape, bytes, [
    `HTTP/1.1 ${status} ${tape.once(20) ? echo.replaceAll(/[\r\n]/g, ' ') : 'OK'}`,
    `content-type: ${contentType}`,
    ...headersOf(tape, echo),
  ]);
}

/** A sentence with a secret of the request in some spelling, or with a hostile text. */
function echoOf(tape: Tape, secrets: readonly string[]): string {
  const secret = secrets[tape.roll(Math.max(1, secrets.length))];
  if (secret === undefined || tape.once(3)) return `it says ${hostileText(tape)}`;
  return `the token ${tape.pick(spellings)(secret)} is none`;
}

function bodyOf(tape: Tape, { body, contentType }: Faithful, echo: string): string {
  const kind = tape.roll(10);
  if (kind < 6) return contentType.includes('xml') ? editedXml(tape, body, echo) : editedJson(tape, body, echo);
  const said = JSON.stringify(echo);
  return tape.pick([
    `{"errors":{"name":[${said}],"client.${echo.length}":[${said}]}}`,
    `{"message":${said}}`,
    `{${said}:[${said}]}`,
    `{"status":"error","message":${said}}`,
    `{"error":${said},"available_tables":[${said}]}`,
    `[${said}]`,
    said,
    `<html><body>${echo}</body></html>`,
    `<?xml version="1.0"?><errors type="array"><error>${echo}</error></errors>`,
    `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(1_000)}"><!ENTITY c "${'&b;'.repeat(100)}">]><users>${'&c;'.repeat(100)}</users>`,
    '',
    'null',
    'false',
    '0',
    '[',
    '[null,1,"x",[],{}]',
    '{}',
    '{"id":null}',
    '"ok"',
    ' ',
    '\ufeff[]',
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `${'<a>'.repeat(2_000)}${'</a>'.repeat(2_000)}`,
    `[${'{"id":1},'.repeat(3_000)}{"id":1}]`,
    echo,
    body.slice(0, body.length / 2),
    body + body,
  ]);
}

function headersOf(tape: Tape, echo: string): string[] {
  const word = echo.replaceAll(/[^!-~ ]/g, '_');
  const headers: string[] = [];
  while (headers.length < 4 && tape.once(4)) {
    headers.push(
      tape.pick([
        `location: http://127.0.0.1:1/?${word}`,
        'location: /account/api_tokens.json',
        'retry-after: 1',
        `retry-after: ${word}`,
        'retry-after: 99999999999',
        'retry-after: Wed, 21 Oct 1970 07:28:00 GMT',
        'retry-after: Fri, 31 Dec 9999 23:59:59 GMT',
        'content-encoding: gzip',
        `content-encoding: ${word}`,
        'content-encoding: identity',
        `set-cookie: flex_key=${word.replaceAll(' ', '')}; HttpOnly`,
        'set-cookie: flex_key=\xff\x7f\t; Max-Age=x; Domain=example.com; Path=/x',
        'set-cookie: flex_key=',
        'set-cookie: =x; flex_key=y',
        `set-cookie: flex_key=${'k'.repeat(8_000)}; Expires=\x80`,
        'set-cookie: session=abc; Path=/',
        'x-powered-by: \xff\xfe',
        `x-long: ${'x'.repeat(20_000)}`,
        'connection: upgrade',
        'etag: "x"',
      ]),
    );
  }
  return headers;
}

/** The whole answer as bytes. Most are framed as they should be. */
function framed(tape: Tape, body: Buffer, head: readonly string[]): HostileAnswer {
  const withHead = (lines: readonly string[], bytes: Uint8Array) =>
    Buffer.concat([Buffer.from([...head, ...lines, '', ''].join('\r\n'), 'latin1'), bytes]);
  const length = `content-length: ${body.length}`;
  const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
  const end = Buffer.from('0\r\n\r\n');
  switch (tape.roll(24)) {
    case 12:
      return { bytes: withHead(['content-length: 5'], body), ending: 'keep' };
    case 13:
      return { bytes: withHead([`content-length: ${body.length + 9}`], body), ending: 'close' };
    case 14:
      return { bytes: withHead(['content-length: 5', 'content-length: 6'], body), ending: 'close' };
    case 15:
      return { bytes: withHead(['content-length: -1'], body), ending: 'close' };
    case 16:
      return { bytes: withHead(['transfer-encoding: chunked'], Buffer.concat([chunk, end])), ending: 'keep' };
    case 17:
      return { bytes: withHead(['transfer-encoding: chunked'], chunk), ending: 'close' };
    case 18:
      return { bytes: withHead(['transfer-encoding: chunked'], body), ending: 'close' };
    case 19:
      return { bytes: withHead(['transfer-encoding: chunked', length], Buffer.concat([chunk, end])), ending: 'close' };
    case 20:
      return { bytes: withHead([], body), ending: 'close' };
    case 21:
      return {
        bytes: withHead([length], Buffer.concat([body, Buffer.from('HTTP/1.1 200 OK\r\n\r\n')])),
        ending: 'keep',
      };
    case 22:
      return {
        bytes: Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), withHead([length], body)]),
        ending: 'close',
      };
    case 23:
      return { bytes: withHead([length], body).subarray(0, -1), ending: tape.pick(['reset', 'close']) };
    default:
      return { bytes: withHead([length], body), ending: tape.pick(['keep', 'close']) };
  }
}

import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

// Responses as bytes: those that RFC 9110 and 9112 allow, those that servers send all the same, and some that nobody may read.

/** The results that are expected: what a read shows, or the code of its error; the outcome of a write. */
export interface Told {
  readonly read: string;
  /** The number of rows. */
  readonly list: string;
  /** Of a read whose kept answer may still hold. */
  readonly again: string;
  readonly created: string;
  readonly updated: string;
  readonly deleted: string;
}

/** Makes the bytes of a response, in one part or several. One byte stands for each character. */
type Bytes = (body: string, status: number) => string | readonly string[];

export interface Row {
  /** A section of a RFC, or what sends such responses. */
  readonly source: string;
  readonly name: string;
  readonly bytes: Bytes;
  readonly told: Told;
}

export const head = (status: number | string, ...lines: string[]) =>
  [`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n');
export const JSON_TYPE = 'content-type: application/json';
export const sized = (body: string) => `content-length: ${Buffer.byteLength(body, 'latin1')}`;
export const whole = (body: string, status: number | string, ...lines: string[]) =>
  head(status, JSON_TYPE, sized(body), ...lines) + body;
/** With a type of its own, or none. */
const typed = (body: string, status: number | string, ...lines: string[]) => head(status, sized(body), ...lines) + body;
const chunked = (...chunks: string[]) => chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
const packed =
  (pack: (body: string) => Buffer, coding: string): Bytes =>
  (body, status) => {
    const bytes = pack(body).toString('latin1');
    return head(status, JSON_TYPE, `content-encoding: ${coding}`, `content-length: ${bytes.length}`) + bytes;
  };

const writes = (outcome: string) => ({ created: outcome, updated: outcome, deleted: outcome });
const reads = (result: string) => ({ read: result, list: result, again: result });
const WELL: Told = { read: 'Ada', list: '1', again: 'Ada', ...writes('APPLIED') };
/** A success that no read can use. A write was carried out. */
const NO_RECORD: Told = { ...reads('UPSTREAM_BAD_RESPONSE'), ...writes('APPLIED') };
/** The code of a failed read. Whether a write was applied is unknown. */
const unknown = (code: string): Told => ({ ...reads(code), ...writes('UNKNOWN') });
const BAD = unknown('UPSTREAM_BAD_RESPONSE');
const CUT = unknown('UPSTREAM_UNAVAILABLE');
/** Upstream has taken the request, which a read cannot tell from its result. */
const TAKEN: Told = { ...WELL, ...writes('UNKNOWN') };
const GONE: Told = { read: 'null', list: 'UPSTREAM_BAD_RESPONSE', again: 'null', ...writes('REFUSED') };
const refused = (code: string): Told => ({ ...reads(code), ...writes('REFUSED') });

/** Rows of one source with the same result. */
const rows = (source: string, told: Told, made: Readonly<Record<string, Bytes>>): readonly Row[] =>
  Object.entries(made).map(([name, bytes]) => ({ source, name, bytes, told }));

const CONTINUE = head('100 Continue');
const HINTS = head('103 Early Hints', 'link: </a>; rel=preload');
const CHUNKED = 'transfer-encoding: chunked';
const NGINX = '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>nginx</body>\r\n</html>\r\n';
const LONG = `x: ${'y'.repeat(1_000)}`;

export const ROWS: readonly Row[] = [
  ...rows('9112 4: status line', WELL, {
    'a reason in other words': (body, status) => whole(body, `${status} Fine, thanks`),
    'no reason': (body, status) => whole(body, `${status} `),
    'a reason beyond ASCII': (body, status) => whole(body, `${status} \xd3k`),
    'a reason that is another status': (body, status) => whole(body, `${status} 500 Internal Server Error`),
  }),
  ...rows('many embedded servers', WELL, {
    'no reason, and no blank before it': (body, status) => whole(body, status),
    'HTTP/1.0': (body, status) => whole(body, status).replace('HTTP/1.1', 'HTTP/1.0'),
  }),
  ...rows('9112 5 and 9110 5: fields', WELL, {
    'names in any case': (body, status) => head(status, JSON_TYPE.toUpperCase(), sized(body).toUpperCase()) + body,
    'no blank behind a colon': (body, status) => head(status, JSON_TYPE, sized(body).replace(' ', '')) + body,
    'blanks around a value': (body, status) => head(status, JSON_TYPE, `${sized(body).replace(' ', ' \t ')} `) + body,
    'an empty value': (body, status) => whole(body, status, 'x:'),
    'a value beyond ASCII': (body, status) => whole(body, status, 'x: \xb1\xe6'),
    'a name of all characters that it may have': (body, status) => whole(body, status, "x!#$%&'*+-.^_`|~: y"),
    'a hundred fields': (body, status) =>
      whole(body, status, ...Array.from({ length: 100 }, (_none, at) => `x-${at}: y`)),
    'fields of one name': (body, status) =>
      whole(body, status, 'set-cookie: a=b', 'set-cookie: c=d', 'vary: a', 'vary: b'),
    'a kilobyte of cookies': (body, status) => whole(body, status, `set-cookie: a=${'b'.repeat(4_000)}`),
    'an unknown field of a proxy': (body, status) => whole(body, status, 'via: 1.1 varnish', 'x-cache: HIT', 'age: 0'),
  }),
  ...rows('9112 6 and 7: length', WELL, {
    'a body of its length': (body, status) => whole(body, status),
    'a body until the end of the connection': (body, status) => head(status, JSON_TYPE, 'connection: close') + body,
    'a body in two parts': (body, status) => [whole(body, status).slice(0, -5), body.slice(-5)],
    'a body byte by byte': (body, status) => [head(status, JSON_TYPE, sized(body)), ...body],
    'a head byte by byte': (body, status) => [...head(status, JSON_TYPE, sized(body)), body],
    'a chunk': (body, status) => `${head(status, JSON_TYPE, CHUNKED)}${chunked(body)}0\r\n\r\n`,
    'a chunk of a byte each': (body, status) => `${head(status, JSON_TYPE, CHUNKED)}${chunked(...body)}0\r\n\r\n`,
    'chunks in parts': (body, status) => [head(status, JSON_TYPE, CHUNKED), ...chunked(body), '0\r\n', '\r\n'],
    'the size of a chunk in capitals, with zeros before it': (body, status) =>
      `${head(status, JSON_TYPE, CHUNKED)}000${body.length.toString(16).toUpperCase()}\r\n${body}\r\n000\r\n\r\n`,
    'extensions of a chunk': (body, status) =>
      `${head(status, JSON_TYPE, CHUNKED)}${body.length.toString(16)};a=b;c="d"\r\n${body}\r\n0;e\r\n\r\n`,
    'a trailer': (body, status) => `${head(status, JSON_TYPE, CHUNKED)}${chunked(body)}0\r\nx: y\r\netag: "z"\r\n\r\n`,
    'the name of the coding in capitals': (body, status) =>
      `${head(status, JSON_TYPE, 'Transfer-Encoding: Chunked')}${chunked(body)}0\r\n\r\n`,
    'a length with zeros before it': (body, status) =>
      head(status, JSON_TYPE, `content-length: 000${body.length}`) + body,
  }),
  ...rows('9112 9: connection', WELL, {
    'one that ends': (body, status) => whole(body, status, 'connection: close'),
    'one that ends, in capitals': (body, status) => whole(body, status, 'Connection: Close'),
    'one that stays': (body, status) => whole(body, status, 'connection: keep-alive', 'keep-alive: timeout=5, max=100'),
    'one that stays no moment': (body, status) => whole(body, status, 'keep-alive: timeout=0'),
    'more bytes than the length': (body, status) => `${whole(body, status)}more`,
    'an upgrade that is offered': (body, status) => whole(body, status, 'upgrade: h2c', 'connection: upgrade'),
  }),
  ...rows('9110 15.2: interim responses that nobody asked for', WELL, {
    '100 before it': (body, status) => CONTINUE + whole(body, status),
    '100 in a part of its own': (body, status) => [CONTINUE, whole(body, status)],
    '100 in two parts': (body, status) => ['HTTP/1.1 10', `0 Continue\r\n\r\n${whole(body, status)}`],
    '100 whose end is cut in two': (body, status) => [CONTINUE.slice(0, -2), `\r\n${whole(body, status)}`],
    '100 three times': (body, status) => CONTINUE.repeat(3) + whole(body, status),
    '100 byte by byte': (body, status) => [...CONTINUE, whole(body, status)],
    '100 with headers': (body, status) => [head('100 Continue', LONG), whole(body, status)],
    '100 without a reason': (body, status) => head('100 ') + whole(body, status),
    '102 before it': (body, status) => head('102 Processing') + whole(body, status),
    '103 before it': (body, status) => HINTS + whole(body, status),
    '103, and then 100': (body, status) => HINTS + CONTINUE + whole(body, status),
    '199 before it': (body, status) => head('199 Whatever') + whole(body, status),
  }),
  ...rows('9110 15.2', CUT, {
    '100 alone': () => CONTINUE,
    '100 without an end': () => head('100 Continue', `x: ${'y'.repeat(64 * 1024)}`),
    '101 that nobody asked for': () => head('101 Switching Protocols', 'upgrade: x', 'connection: upgrade'),
  }),
  ...rows('9112 6.3 and 9110 15.3.5: no body', NO_RECORD, {
    '204': () => head(204),
    '204 with a length of 0': () => head(204, 'content-length: 0'),
    '204 with a length': () => head(204, 'content-length: 2'),
    '204 with a length, and bytes behind it': () => `${head(204, 'content-length: 2')}{}`,
    '204 with a length, and bytes that come later': () => [head(204, 'content-length: 2'), '{}'],
    '204 with a type': () => head(204, JSON_TYPE),
    '205': () => head(205, 'content-length: 0'),
    '200 with a length of 0': () => head(200, 'content-length: 0'),
    '201 with a length of 0, and a place': () => head(201, 'content-length: 0', 'location: /app/clients/1.json'),
  }),
  ...rows('9110 15.3: other successes', WELL, {
    '200': (body) => whole(body, 200),
    '201': (body) => whole(body, 201),
    '203 of a proxy that changes bodies': (body) => whole(body, 203, 'warning: 214 - "Transformation applied"'),
    '226': (body) => whole(body, 226),
    '299': (body) => whole(body, 299),
  }),
  ...rows('9110 15.3.3, RFC 4918 13', TAKEN, {
    '202 with a record': (body) => whole(body, 202),
    '207 with a record': (body) => whole(body, 207),
  }),
  ...rows('9110 15.3.3, RFC 4918 13', BAD, {
    '202 with the id of a job': () => whole('{"id":"82de","status":"queued"}', 202),
    '202 without a body': () => head(202, 'content-length: 0'),
    '207 with a result': () => whole('{"results":[{"id":1,"status":200}]}', 207),
  }),
  ...rows(
    'RFC 4918 13',
    { ...BAD, ...writes('REFUSED') },
    {
      '207 with a refusal': () => whole('{"results":[{"status":422,"errors":{"name":["bad"]}}]}', 207),
    },
  ),
  ...rows('9110 15.3.7', NO_RECORD, {
    '206 that nobody asked for': (body) => whole(body, 206, 'content-range: items 0-0/250'),
  }),
  ...rows(
    '9110 15.4.5',
    { ...BAD, again: 'Kept' },
    {
      '304': () => head(304, 'etag: "v1"'),
      '304 without its tag': () => head(304),
      '304 with the length of the body that it stands for': () => head(304, 'etag: "v1"', 'content-length: 23'),
      '304 with a type and a length of 0': () => head(304, 'etag: "v1"', JSON_TYPE, 'content-length: 0'),
      '304 with a tag that is weak': () => head(304, 'etag: W/"v1"', 'content-length: 23'),
      '304 that is chunked': () => head(304, 'etag: "v1"', CHUNKED),
      '304 that ends the connection': () => head(304, 'etag: "v1"', 'connection: close'),
      '304 after a 100': () => CONTINUE + head(304, 'etag: "v1"', 'content-length: 23'),
    },
  ),
  ...[300, 301, 302, 303, 305, 307, 308].flatMap((status) =>
    rows('9110 15.4: nothing is followed', BAD, {
      [`${status}`]: () => whole('{}', status, 'location: http://127.0.0.1:1/elsewhere'),
    }),
  ),
  ...rows('9110 15.5.5 and 15.5.11', GONE, {
    '404': () => whole('{}', 404),
    '404 without a body': () => head(404, 'content-length: 0'),
    '404 in plain text': () => typed('Not Found', 404, 'content-type: text/plain'),
    '410': () => whole('{}', 410),
    '410 without a body': () => head(410, 'content-length: 0'),
  }),
  ...[400, 422].flatMap((status) =>
    rows('9110 15.5', refused('BAD_USER_INPUT'), {
      [`${status}`]: () => whole('{"errors":{"name":["bad"]}}', status),
      [`${status} as problem+json (RFC 9457)`]: () =>
        typed('{"title":"bad"}', status, 'content-type: application/problem+json'),
      [`${status} without a body`]: () => head(status, 'content-length: 0'),
    }),
  ),
  ...[402, 405, 406, 408, 411, 413, 414, 415, 418, 421, 423, 425, 426, 428, 431, 451, 499].flatMap((status) =>
    rows('9110 15.5, RFC 6585, 7725, nginx', refused('UPSTREAM_BAD_RESPONSE'), {
      [`${status}`]: () => whole('{}', status),
    }),
  ),
  ...[500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 529, 599].flatMap((status) =>
    rows('9110 15.6, RFC 6585, Cloudflare', CUT, {
      [`${status}`]: () => typed(NGINX, status, 'content-type: text/html'),
    }),
  ),
  ...rows('9110 8.4: codings', WELL, {
    'none, by an empty name': (body, status) => whole(body, status, 'content-encoding:'),
    identity: (body, status) => whole(body, status, 'content-encoding: identity'),
    'identity in capitals': (body, status) => whole(body, status, 'content-encoding: Identity'),
    'identity in blanks': (body, status) => whole(body, status, 'content-encoding:  IDENTITY '),
    gzip: packed(gzipSync, 'gzip'),
    deflate: packed(deflateSync, 'deflate'),
    'gzip in capitals': packed(gzipSync, 'GZIP'),
    'x-gzip, which is the same': packed(gzipSync, 'x-gzip'),
    'gzip in two members': packed(
      (body) => Buffer.concat([gzipSync(body.slice(0, 5)), gzipSync(body.slice(5))]),
      'gzip',
    ),
  }),
  ...rows('9110 8.4: a coding that was not asked for', NO_RECORD, {
    'deflate without its frame': packed(deflateRawSync, 'deflate'),
    'gzip twice': packed((body) => gzipSync(gzipSync(body)), 'gzip, gzip'),
    'gzip by its name alone': (body, status) => whole(body, status, 'content-encoding: gzip'),
    'gzip that ends too early': packed((body) => gzipSync(body).subarray(0, -12), 'gzip'),
    'an unknown one': (body, status) => whole(body, status, 'content-encoding: zstd'),
    'brotli, which nobody asked for': (body, status) => whole(body, status, 'content-encoding: br'),
  }),
  ...rows('9110 8.3, and servers in haste: types', WELL, {
    none: (body, status) => typed(body, status),
    'text/plain': (body, status) => typed(body, status, 'content-type: text/plain'),
    'text/html': (body, status) => typed(body, status, 'content-type: text/html; charset=utf-8'),
    'text/javascript': (body, status) => typed(body, status, 'content-type: text/javascript'),
    'application/vnd.api+json': (body, status) => typed(body, status, 'content-type: application/vnd.api+json'),
    'in capitals, with a charset': (body, status) =>
      typed(body, status, 'content-type: Application/JSON; Charset="UTF-8"'),
    'another charset than that of the bytes': (body, status) =>
      typed(body, status, 'content-type: application/json; charset=iso-8859-1'),
    'one that is none': (body, status) => typed(body, status, 'content-type: json'),
    'two of them': (body, status) => typed(body, status, JSON_TYPE, 'content-type: text/plain'),
  }),
  ...rows('RFC 8259, and PHP with its blank lines: JSON', WELL, {
    'a byte order mark before it': (body, status) => whole(`\xef\xbb\xbf${body}`, status),
    'blank lines before it': (body, status) => whole(`\n\r\n\t ${body}`, status),
    'a line end behind it': (body, status) => whole(`${body}\n`, status),
    'members that nobody knows': (body, status) =>
      whole(body.replace('{', '{"__proto__":{},"constructor":1,"x":[[]],'), status),
    'escaped letters': (body, status) => whole(body.replace('Ada', '\\u0041da'), status),
    'a name twice, of which the last counts': (body, status) => whole(body.replace('{', '{"name":"Eve",'), status),
    'an id as a text': (body, status) => whole(body.replace('"id":1', '"id":"1"'), status),
    'an id with a fraction of 0': (body, status) => whole(body.replace('"id":1', '"id":1.0'), status),
    'a wrapper': (body, status) => whole(body.startsWith('[') ? `{"clients":${body}}` : `{"client":${body}}`, status),
  }),
  ...rows('bodies that are no JSON', NO_RECORD, {
    'half of it': (body, status) => whole(body.slice(0, -2), status),
    'two of it': (body, status) => whole(`${body}${body}`, status),
    'text behind it': (body, status) => whole(`${body} ok`, status),
    'quotes of another kind': (body, status) => whole(body.replaceAll('"', "'"), status),
    'a comma at its end': (body, status) => whole(body.replace(/([}\]])$/, ',$1'), status),
    'a callback around it': (body, status) => whole(`cb(${body})`, status),
    'a byte that is no UTF-8': (body, status) => whole(body.replace('Ada', 'A\xffda'), status),
    'UTF-16': (body, status) => whole(Buffer.from(`\ufeff${body}`, 'utf16le').toString('latin1'), status),
    NUL: (body, status) => whole(`${body}\0`, status),
    'a number': (_body, status) => whole('1', status),
    'a text': (_body, status) => whole('"done"', status),
    null: (_body, status) => whole('null', status),
    'an empty object': (_body, status) => whole('{}', status),
  }),
  ...rows('web pages under a status of success', BAD, {
    'of a proxy': (_body, status) => typed(NGINX, status, 'content-type: text/html'),
    'of a login, as JSON': (_body, status) => whole('<!DOCTYPE html><form action="/login"></form>', status),
  }),
  ...rows('9112 2.2, 5.1, 6.3, 7.1, and 9110 8.6: what HTTP does not allow', CUT, {
    nothing: () => '',
    'less than the length': (body, status) => whole(body, status).slice(0, -1),
    'no end of the head': (_body, status) => `HTTP/1.1 ${status} OK\r\n${JSON_TYPE}\r\n`,
    'two lengths': (body, status) => head(status, JSON_TYPE, sized(body), 'content-length: 1') + body,
    'a length of two': (body, status) => head(status, JSON_TYPE, `content-length: ${body.length}, 1`) + body,
    'a length that is no number': (body, status) => head(status, JSON_TYPE, 'content-length: x') + body,
    'a length below 0': (body, status) => head(status, JSON_TYPE, 'content-length: -1') + body,
    'a length with a sign': (body, status) => head(status, JSON_TYPE, `content-length: +${body.length}`) + body,
    'a length in hexadecimal': (body, status) =>
      head(status, JSON_TYPE, `content-length: 0x${body.length.toString(16)}`) + body,
    'a length beside chunks': (body, status) =>
      `${head(status, JSON_TYPE, CHUNKED, sized(body))}${chunked(body)}0\r\n\r\n`,
    'a chunk of no size': (_body, status) => `${head(status, JSON_TYPE, CHUNKED)}zz\r\n`,
    'a chunk below 0': (_body, status) => `${head(status, JSON_TYPE, CHUNKED)}-1\r\n`,
    'a chunk without an end': (body, status) => `${head(status, JSON_TYPE, CHUNKED)}ff\r\n${body}`,
    'no last chunk': (body, status) => `${head(status, JSON_TYPE, CHUNKED)}${chunked(body)}`,
    // A client should read it as a blank (5.2); the parser of undici does not.
    'a value on two lines': (body, status) => whole(body, status, 'x: a\r\n  b'),
    'a blank before a colon': (body, status) => whole(body, status, 'x : y'),
    'a field without a colon': (body, status) => whole(body, status, 'x'),
    'a blank in a name': (body, status) => whole(body, status, 'x y: z'),
    'NUL in a field': (body, status) => whole(body, status, 'x: a\0b'),
    'more than 16 KiB of fields': (body, status) => whole(body, status, ...Array.from({ length: 20 }, () => LONG)),
    'a status that is none': (body) => whole(body, 99),
    'a status of four digits': (body) => whole(body, 2000),
    'HTTP/2': (body, status) => whole(body, status).replace('HTTP/1.1', 'HTTP/2'),
    'HTTP/0.9, which has no head': (body) => body,
    'another protocol': (body, status) => whole(body, status).replace('HTTP/1.1', 'ICY'),
    'the answer of TLS': () => '\x15\x03\x01\x00\x02\x02\x0a',
  }),
];

/** Responses of the forum. */
const XML_TYPE = 'content-type: application/xml';
const xml = (body: string, status: number, ...lines: string[]) => typed(body, status, XML_TYPE, ...lines);
const FORUM: Told = { ...WELL, list: '1', updated: '-' };
const NO_FORUM: Told = { ...NO_RECORD, updated: '-' };
const UTF_8 = 'content-type: text/xml; charset=utf-8';
const declared = (encoding: string, body: string) => `<?xml version="1.0" encoding="${encoding}"?>${body}`;

export const XML_ROWS: readonly Row[] = [
  ...rows('evidence, XML 1.0', FORUM, {
    'an element': (body, status) => xml(body, status),
    'a declaration': (body, status) => xml(`${declared('UTF-8', '')}\n${body}\n`, status),
    'comments and instructions': (body, status) => xml(`<!-- a --><?b c?>${body}<!-- d -->`, status),
    'text/xml': (body, status) => typed(body, status, 'content-type: text/xml'),
    'a byte order mark': (body, status) => xml(`\xef\xbb\xbf${body}`, status),
    'a 100 before it': (body, status) => CONTINUE + xml(body, status),
    chunks: (body, status) => `${head(status, XML_TYPE, CHUNKED)}${chunked(body)}0\r\n\r\n`,
  }),
  ...rows('PHP', FORUM, {
    'blank lines before the declaration': (body, status) => xml(`\r\n\n${declared('UTF-8', body)}`, status),
    'a byte order mark, and a blank line': (body, status) => xml(`\xef\xbb\xbf\n${declared('UTF-8', body)}`, status),
  }),
  ...rows('RFC 7303 3: the header and the declaration', FORUM, {
    'UTF-8 by the header, UTF-16 by the declaration': (body, status) => typed(declared('utf-16', body), status, UTF_8),
    'UTF-8 by the header, unknown by the declaration': (body, status) => typed(declared('x-y', body), status, UTF_8),
    'UTF-16 by the header, UTF-8 by the declaration': (body, status) =>
      typed(declared('utf-8', body), status, 'content-type: application/xml; charset=utf-16'),
    'windows-1250 by the declaration': (body, status) => xml(declared('windows-1250', body), status),
  }),
  ...rows('XML Schema, and names as others', FORUM, {
    'an element named constructor': (body, status) =>
      xml(body.replaceAll('</id>', '</id><constructor>x</constructor>'), status),
    'an attribute named __proto__': (body, status) => xml(body.replaceAll('<id>', '<id __proto__="x">'), status),
    'nulls of XML Schema': (body, status) =>
      xml(body.replaceAll('</id>', '</id><kind xsi:nil="true"/><status nil="1"/>'), status),
  }),
  ...rows('what is no XML', NO_FORUM, {
    'half of it': (body, status) => xml(body.slice(0, -3), status),
    'a DOCTYPE': (body, status) => xml(`<!DOCTYPE post>${body}`, status),
    JSON: (_body, status) => whole('{"id":1,"title":"Ada"}', status),
    'UTF-16 by both': (body, status) =>
      typed(declared('utf-16', body), status, 'content-type: text/xml; charset=utf-16'),
    NUL: (body, status) => xml(`${body}\0`, status),
  }),
  ...rows(
    '9110 15.4.5',
    { ...BAD, again: 'Kept', updated: '-' },
    {
      '304 with the length of the body': () => head(304, 'etag: "v1"', 'content-length: 23', XML_TYPE),
    },
  ),
];

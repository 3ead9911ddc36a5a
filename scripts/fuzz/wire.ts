import { connect } from 'node:net';
import type { CallerRequest } from './callers.ts';

/** A response of the gateway. */
export interface Response {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/**
 * Sends a request as bytes, which no client library would, and reads its response.
 *
 * @returns the response; a text that says what is wrong with it; undefined when the connection was closed without one
 */
export async function send(
  url: string,
  request: CallerRequest,
  deadlineMs: number,
): Promise<Response | string | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  try {
    return await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(`No whole response within ${deadlineMs} ms.`), deadlineMs);
      const settle = (response: Response | string | undefined) => {
        clearTimeout(timer);
        resolve(response);
      };
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        const response = read(Buffer.concat(chunks), request, false);
        if (response !== undefined) settle(response);
      });
      socket.on('error', () => settle(read(Buffer.concat(chunks), request, true)));
      socket.on('close', () => settle(read(Buffer.concat(chunks), request, true)));
      const head = [request.line, ...request.headers, '', ''].join('\r\n');
      socket.write(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(request.body)]));
    });
  } finally {
    socket.destroy();
  }
}

/** The response in these bytes. Undefined when it is not whole yet. */
function read(bytes: Buffer, request: CallerRequest, isClosed: boolean): Response | string | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return isClosed && bytes.length > 0 ? 'The response has no whole head.' : undefined;
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [, digits] = /^HTTP\/1\.1 (\d{3}) /.exec(line) ?? [];
  if (digits === undefined) return `The response begins with ${line}.`;
  const headers = lines.map((text): [string, string] => {
    const colon = text.indexOf(':');
    return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()];
  });
  const status = Number(digits);
  const rest = bytes.subarray(end + 4);
  if (status < 200) return read(rest, request, isClosed);
  const hasNoBody = request.line.startsWith('HEAD ') || status === 204 || status === 304;
  const body = hasNoBody ? Buffer.alloc(0) : bodyOf(new Map(headers), rest, isClosed);
  return typeof body === 'object' ? { status, headers, body: body.toString() } : body;
}

function bodyOf(headers: ReadonlyMap<string, string>, rest: Buffer, isClosed: boolean): Buffer | string | undefined {
  if (headers.get('transfer-encoding') === 'chunked') {
    return dechunked(rest) ?? (isClosed ? 'The chunks of the response are cut off.' : undefined);
  }
  const length = headers.get('content-length');
  if (length === undefined) return isClosed ? rest : undefined;
  if (rest.length >= Number(length)) return rest.subarray(0, Number(length));
  return isClosed ? 'The response is shorter than its Content-Length.' : undefined;
}

/** The content of chunks; undefined when the last one is not there yet. */
function dechunked(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const length = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (Number.isNaN(length)) return undefined;
    if (length === 0) return Buffer.concat(parts);
    if (bytes.length < end + 2 + length + 2) return undefined;
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}

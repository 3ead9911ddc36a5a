// A HTTP server just large enough for the gateways under test, over node:net: it has to cost less than they do.
import { createServer, type Server, type Socket } from 'node:net';

/** Answers a request by its method and its target. */
export type Answer = (method: string, target: string) => { readonly response: Buffer; readonly delayMs: number };

interface Request {
  readonly method: string;
  readonly target: string;
  /** Where the next request begins. */
  readonly end: number;
}

const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;
const LAST_CHUNK = '0\r\n\r\n';

export function serve(answer: Answer): Server {
  return createServer({ noDelay: true }, (socket) => {
    let pending = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      let offset = 0;
      for (let request = readRequest(bytes, 0); request; request = readRequest(bytes, offset)) {
        const { response, delayMs } = answer(request.method, request.target);
        send(socket, response, delayMs);
        offset = request.end;
      }
      pending = bytes.subarray(offset);
    });
  });
}

function send(socket: Socket, response: Buffer, delayMs: number): void {
  if (delayMs === 0) socket.write(response);
  else setTimeout(() => socket.writable && socket.write(response), delayMs);
}

/** The request at `offset`, or undefined while it is not complete. */
function readRequest(bytes: Buffer, offset: number): Request | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n', offset, 'latin1');
  if (headEnd === -1) return undefined;
  const lineEnd = bytes.indexOf('\r\n', offset, 'latin1');
  const [method = '', target = ''] = bytes.toString('latin1', offset, lineEnd).split(' ');
  const end = method === 'GET' ? headEnd + 4 : bodyEnd(bytes, lineEnd, headEnd);
  return end === undefined || end > bytes.length ? undefined : { method, target, end };
}

function bodyEnd(bytes: Buffer, lineEnd: number, headEnd: number): number | undefined {
  const headers = bytes.toString('latin1', lineEnd, headEnd);
  const length = CONTENT_LENGTH.exec(headers)?.[1];
  if (length !== undefined) return headEnd + 4 + Number(length);
  if (!CHUNKED.test(headers)) return headEnd + 4;
  const last = bytes.indexOf(LAST_CHUNK, headEnd + 4, 'latin1');
  return last === -1 ? undefined : last + LAST_CHUNK.length;
}

import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { onTestFinished } from 'vitest';

/** A caller's own connection, which sends and reads byte by byte as the test says. It is closed when the test ends. */
export interface Connection {
  readonly socket: Socket;
  /** All that it has read so far. */
  text(): string;
  /** Resolves once the gateway has closed the connection. */
  readonly closed: Promise<void>;
}

/** Opens a connection. It reads as long as its socket is not paused. */
export function openConnection(url: string): Connection {
  const { protocol, hostname: host, port: text } = new URL(url);
  const port = Number(text);
  // The tests of certificates look at them: this one does not.
  const socket =
    protocol === 'https:' ? connectSecurely({ host, port, rejectUnauthorized: false }) : connect({ host, port });
  const chunks: Buffer[] = [];
  socket.on('error', () => {}); // a connection that is cut may be reset
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    text: () => Buffer.concat(chunks).toString('latin1'),
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
  };
}

/** A POST of a query, as bytes. */
export function postOf(query: string, headers: readonly string[] = []): string {
  const body = JSON.stringify({ query });
  return [
    'POST /graphql HTTP/1.1',
    'Host: 127.0.0.1',
    'Authorization: Bearer token',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...headers,
    '',
    body,
  ].join('\r\n');
}

/** Sends a text in pieces of this size, one every `everyMs`. */
export function drip({ socket }: Connection, text: string, everyMs: number, size = 1): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || sent >= text.length) return clearInterval(timer);
    socket.write(text.slice(sent, (sent += size)));
  }, everyMs);
  onTestFinished(() => clearInterval(timer));
}

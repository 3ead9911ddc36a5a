import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Sends bytes as they are, which no client library would, and reads until the gateway closes the connection. */
export async function sendRaw(url: string, lines: readonly string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1'));
  return text(socket);
}

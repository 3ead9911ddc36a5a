import { sendRaw } from '../server/wire.ts';

/** Sends a query with header lines as they are, which no client library would. */
export function rawQuery(url: string, query: string, lines: readonly string[]): Promise<string> {
  const body = JSON.stringify({ query });
  const head = ['POST /graphql HTTP/1.1', 'host: x', 'content-type: application/json', 'connection: close'];
  return sendRaw(url, [...head, ...lines, `content-length: ${body.length}`], body);
}

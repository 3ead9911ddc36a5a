import type { HttpResponse } from '../responses.ts';

type StringMap = Readonly<Record<string, string>>;

/**
 * Why a request is refused, or null. Only programs and pages of this machine may control the sandbox: a page of the web
 * names itself in `Origin`, and one whose host name was pointed at this machine (DNS rebinding) keeps its name in `Host`.
 *
 * @param headers by lower-case name
 */
export function refusalOf({ host, origin }: StringMap): string | null {
  const names = 'localhost, 127.0.0.1 or [::1]';
  if (!isLoopback(`http://${host ?? ''}`)) return `the sandbox is controlled at ${names} only: Host names another host`;
  if (origin !== undefined && !isLoopback(origin)) {
    return `the sandbox is controlled by pages of ${names} only: Origin names another host`;
  }
  return null;
}

/** Lets a page of an origin that was not refused read the response. */
export function withCors({ origin }: StringMap, response: HttpResponse): HttpResponse {
  const allowed = origin === undefined ? {} : { 'Access-Control-Allow-Origin': origin };
  return { ...response, headers: { ...response.headers, ...allowed, Vary: 'Origin' } };
}

/** Answers the preflight of a browser. */
export const preflight: HttpResponse = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': 'GET, POST, DELETE',
    'Access-Control-Allow-Headers': 'Content-Type',
    'Access-Control-Max-Age': '600',
  },
  body: '',
};

/** Whether an http or https address is one of this machine. */
function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '') return false;
  // The parser of URLs writes 127.1 and 0x7f.1 as 127.0.0.1
  return ['localhost', '[::1]'].includes(url.hostname) || /^127\.\d+\.\d+\.\d+$/.test(url.hostname);
}

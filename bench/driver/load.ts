import { Client } from 'undici';

export interface LoadOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in turn. */
  readonly bodies: readonly Buffer[];
  readonly connections: number;
  /** The load ends after this time or after so many requests, whichever is first. */
  readonly seconds: number;
  readonly requests?: number;
}

export interface LoadResult {
  /** Milliseconds of each answered request. */
  readonly latencies: readonly number[];
  /** Requests that failed, or whose status was not 200. */
  readonly failures: number;
  readonly seconds: number;
}

/** A request that is not answered after this time has failed. */
const TIMEOUT_MS = 30_000;

/** Sends requests on connections that are kept open: each sends its next one as soon as it is answered. */
export async function load({ url, headers, bodies, connections, seconds, requests = Infinity }: LoadOptions) {
  const latencies: number[] = [];
  let failures = 0;
  let sent = 0;
  const started = performance.now();
  const deadline = started + seconds * 1000;

  async function caller(client: Client): Promise<void> {
    while (performance.now() < deadline && sent < requests) {
      const body = bodies[sent++ % bodies.length] ?? '';
      const start = performance.now();
      const status = await post(client, { path: url.pathname, headers, body }).catch(() => 0);
      if (status === 200) latencies.push(performance.now() - start);
      else failures++;
    }
  }

  const clients = Array.from({ length: connections }, () => {
    return new Client(url.origin, { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  });
  await Promise.all(clients.map(caller));
  const result: LoadResult = { latencies, failures, seconds: (performance.now() - started) / 1000 };
  await Promise.all(clients.map((client) => client.close()));
  return result;
}

interface Post {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** @returns the status, once the whole response has come; its bytes are not kept */
function post(client: Client, { path, headers, body }: Post): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    client.dispatch(
      { method: 'POST', path, headers, body },
      {
        onRequestStart() {},
        onResponseStart: (_controller, statusCode) => {
          status = statusCode;
        },
        onResponseData() {},
        onResponseEnd: () => resolve(status),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { Pool, reusableUrls } from './pool.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or null without a body. */
  readonly body: unknown;
}

export interface CallOptions {
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request to an API: `call('GET', '/account/api_tokens.json', { token })`. */
export type Call = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

const sandboxes = new Pool<Sandbox>();

/**
 * A sandbox on a free port, of this test until it ends. Without demo data unless asked for. Tests of a file with the same options
 * have the same one, as it was after its start.
 */
export async function freshSandbox(given: SandboxOptions = {}): Promise<{ sandbox: Sandbox; call: Call }> {
  const all = { port: 0, demo: false, answers: 'full', ...given } as const;
  // Other modes than `full` count what they have sent, to send it in another way the next time.
  const options = all.answers === 'full' ? { ...all } : undefined;
  const { item, close } = await sandboxes.take(options, () => startSandbox(all));
  if (options) reusableUrls.add(item.urls.account);
  const sandbox: Sandbox = Object.assign(Object.create(item), { close });
  return { sandbox, call: callAt(sandbox.urls.account) };
}

/** Calls to the API at this base address. */
export function callAt(base: string): Call {
  return async (method, path, { token, body, headers } = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
}

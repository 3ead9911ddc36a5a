import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';

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

/** A sandbox on a free port, closed when the test ends. Without demo data unless asked for. */
export async function freshSandbox(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; call: Call }> {
  const sandbox = await startSandbox({ port: 0, demo: false, ...options });
  onTestFinished(() => sandbox.close());
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

import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes a file that is removed when the test ends: texts and bytes as they are, anything else as JSON. @returns its path */
export async function manifestFile(content: unknown, name = 'persisted-documents.json'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-documents-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, name);
  await writeFile(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return file;
}

/** The address of an upstream that is not there: these operations call none. */
export const NOWHERE = 'http://127.0.0.1:1';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** How a request reaches the gateway: the direct way for a body with a length, and two through Yoga. */
export const WAYS = ['POST', 'POST in chunks', 'GET'] as const;
export type Way = (typeof WAYS)[number];

export type Parameters = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data: unknown;
  /** `extensions.code` of each error, with `message` and `extensions` of the first. */
  readonly codes: readonly unknown[];
  readonly message: string | undefined;
  readonly extensions: Parameters;
}

/** Sends the parameters of an operation as demo-admin. */
export async function send(
  url: string,
  way: Way,
  parameters: Parameters,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const credential = { authorization: 'Bearer demo-admin', accept: 'application/graphql-response+json' };
  const given = { ...credential, ...headers };
  const body = JSON.stringify(parameters);
  const response = await (way === 'GET'
    ? fetch(`${url}/graphql?${search(parameters)}`, { headers: given })
    : fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...given },
        ...(way === 'POST' ? { body } : { body: new Blob([body]).stream(), duplex: 'half' as const }),
      }));
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  const { data, errors = [] } = isJson ? JSON.parse(text) : {};
  return {
    status: response.status,
    headers: response.headers,
    text,
    data,
    codes: errors.map((error: { extensions: Parameters }) => error.extensions['code']),
    message: errors[0]?.message,
    extensions: errors[0]?.extensions ?? {},
  };
}

function search(parameters: Parameters): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

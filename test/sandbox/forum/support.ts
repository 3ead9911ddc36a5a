import { request } from 'undici';
import { z } from 'zod';
import type { SandboxOptions } from '../../../src/sandbox/server.ts';
import { callAt, freshSandbox } from '../../support/sandbox.ts';

export const plain = 'text/plain; charset=utf-8';
export const xml = 'application/xml; charset=utf-8';
export const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** An answer of the forum, its body as it was sent. */
interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Sent {
  readonly body?: string | Uint8Array;
  readonly type?: string;
  readonly authorization?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** 422 with these messages. */
export function refusal(...messages: string[]) {
  const errors = messages.map((message) => `  <error>${message}</error>\n`);
  return { status: 422, type: xml, text: `${declaration}<errors>\n${errors.join('')}</errors>\n` };
}

/** The value of `Authorization` for a login and a password. */
export function basic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}

/** Requests of one user. A body is sent as XML unless its type is given. */
export function requestsOf(base: string, user?: string) {
  const call = async (method: string, path: string, sent: Sent = {}): Promise<Answer> => {
    const { body = null, type = body === null ? undefined : 'application/xml', authorization = user } = sent;
    const { statusCode, headers, ...answer } = await request(base + path, {
      method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).parse(method),
      headers: { ...(type && { 'content-type': type }), ...(authorization && { authorization }), ...sent.headers },
      body,
    });
    const text = await answer.body.text();
    return { status: statusCode, type: String(headers['content-type'] ?? ''), headers, text };
  };
  return {
    call,
    get: (path: string) => call('GET', path),
    del: (path: string) => call('DELETE', path),
    post: (path: string, body: string) => call('POST', path, { body }),
    /** A suggestion that was added. Its id is answered. */
    suggest: async (title: string) => {
      const { text } = await call('POST', '/app/posts.xml', { body: `<post><title>${title}</title></post>` });
      return Number(texts(text, 'id')[0]);
    },
    /** The titles that a list holds, in its order. */
    titles: async (path: string, sent: Sent = {}) => texts((await call('GET', path, sent)).text, 'title'),
  };
}

/** The texts of the elements with this name, as they were sent. */
export function texts(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);
}

/** A forum with one user, Ada, and the CRM beside it with her token. */
export async function forumSandbox(options: SandboxOptions = {}) {
  const { sandbox } = await freshSandbox(options);
  const base = sandbox.urls.forum;
  const account = sandbox.store.createAccount().id;
  const { id: user, token } = sandbox.store.createUser({ account, name: 'Ada', login: 'ada', password: 'lovelace' });
  const crm = callAt(sandbox.urls.crm);
  const record = z.looseObject({ id: z.int() });
  return {
    sandbox,
    base,
    account,
    user,
    ...requestsOf(base, basic('ada', 'lovelace')),
    category: (name: string) => sandbox.store.createForumCategory(account, name).id,
    /** A user of another account, Eve. */
    stranger: () => {
      const other = sandbox.store.createAccount().id;
      sandbox.store.createUser({ account: other, name: 'Eve', login: 'eve', password: 'p' });
      return { account: other, ...requestsOf(base, basic('eve', 'p')) };
    },
    /** A post of the CRM. */
    makePost: async (post: object) => {
      const { body } = await crm('POST', '/app/posts.json', {
        body: { api_token: token, post: { title: 'T', ...post } },
        headers: { 'User-Agent': 'crm/1' },
      });
      return record.parse(body);
    },
    readPost: async (id: number) => record.parse((await crm('GET', `/app/posts/${id}.json?api_token=${token}`)).body),
    tasks: async () => z.array(record).parse((await crm('GET', `/app.json?api_token=${token}`)).body),
  };
}

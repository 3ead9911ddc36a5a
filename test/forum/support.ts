import type { RequestListener } from 'node:http';
import { z } from 'zod';
import type { Config } from '../../src/config.ts';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import { asking, gateway, gatewayOver, type Operation } from '../support/gateway.ts';
import { recordingUpstream } from '../support/recorder.ts';

/** The selection of a refusal: type, message, and messages by field. */
export const REFUSAL = `__typename ... on MutationError { message } ... on ValidationError { fields { field messages } }`;

/** The value of `Authorization` for a login and a password. */
export function basic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}

/** The header that carries Ada's login and password. */
export const asAda = { 'x-forum-authorization': basic('ada', 'lovelace') };

const created = z.object({ createForumPost: z.object({ upstreamId: z.string() }) });

/** A gateway over a fresh sandbox. Every operation carries Ada's login and password for the forum. */
export async function forumGateway(settings: Partial<Config> = {}, options: SandboxOptions = {}) {
  const over = await gateway(settings, options);
  const { sandbox, account, admin } = over;
  const words = { description: 'Of numbers', email: 'ada@example.com', www: 'https://ada.example' };
  const ada = sandbox.store.createUser({ account, name: 'Ada', login: 'ada', password: 'lovelace', ...words });
  sandbox.forgetCalls();
  const execute = async (query: string, operation: Operation = {}) =>
    over.execute(query, { ...operation, headers: { ...asAda, ...operation.headers } });

  return {
    ...over,
    ada,
    execute,
    ask: asking(execute),
    category: (name: string) => String(sandbox.store.createForumCategory(account, name).id),
    /** Adds a suggestion, and answers its id. The call is not counted. */
    suggest: async (title = 'Longer legs', content = 'Please') => {
      const { data } = await execute(
        'mutation ($input: CreateForumPostInput!) { createForumPost(input: $input) { ... on ForumPost { upstreamId } } }',
        { variables: { input: { title, content } } },
      );
      sandbox.forgetCalls();
      return created.parse(data).createForumPost.upstreamId;
    },
    /** Calls the CRM past the gateway. The call is not counted. */
    crm: async (method: string, path: string, body: object) => {
      const { status } = await fetch(sandbox.urls.crm + path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_token: admin.token, ...body }),
      });
      sandbox.forgetCalls();
      if (status >= 300) throw new Error(`The sandbox answered with status ${status}.`);
    },
  };
}

interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A listener that responds with XML. */
export function saysXml(body: string | Buffer, { status = 200, headers = {} }: Said = {}): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/xml; charset=utf-8', ...headers }).end(body);
  };
}

/** A gateway over a forum with the given listener. Every operation carries Ada's login and password. */
export async function forumOver(answer: RequestListener, settings: Partial<Config> = {}) {
  const forum = await recordingUpstream(answer);
  const over = await gatewayOver(forum.url, { FORUM_URL: new URL(forum.url), ...settings }, 'secret');
  const execute = async (query: string, operation: Operation = {}) =>
    over.execute(query, { ...operation, headers: { ...asAda, ...operation.headers } });
  return {
    ...over,
    calls: () => [...forum.received],
    requests: forum.requests,
    execute,
    ask: asking(execute),
  };
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

const body = z.object({ client: z.object({ name: z.string() }) });

/**
 * A CRM with the clients that are asked for, each of which has its time of the last change, and a gateway over it. Tokens that begin with
 * `invented` get 401.
 */
export async function clientUpstream() {
  const clients = new Map<string, { name: string; updated_at: unknown }>();
  let changes = 0;
  /** The answer to the next calls of a method, in the place of the usual one. */
  const next = new Map<string, ((request: IncomingMessage, response: ServerResponse, go: () => void) => void)[]>();
  const clientOf = (id: string) => {
    const known = clients.get(id) ?? { name: 'first', updated_at: timeOf(0) };
    clients.set(id, known);
    return known;
  };
  const read: RequestListener = (request, response) => {
    const id = idOf(request);
    says(JSON.stringify({ id: Number(id), ...clientOf(id) }))(request, response);
  };
  const change = async (request: IncomingMessage) => {
    const { client } = body.parse(await json(request));
    changes += 1;
    clients.set(idOf(request), { ...client, updated_at: timeOf(changes) });
  };
  const { url, received } = await stubUpstream((request, response) => {
    const { method = '' } = request;
    const go = () => {
      if (/[?&]api_token=invented/.test(request.url ?? '')) return void response.writeHead(401).end('{}');
      return method === 'GET' ? read(request, response) : void change(request).then(() => read(request, response));
    };
    const own = next.get(method)?.shift();
    if (own) own(request, response, go);
    else go();
  });
  return {
    url,
    /** The methods of the calls so far. */
    calls: () => received.map((call) => call.split(' ', 1)[0]),
    clientOf,
    /** Answers the next call of this method that has no answer yet. `go` gives the usual one. */
    answerNext: (
      method: 'GET' | 'PUT',
      answer: (request: IncomingMessage, response: ServerResponse, go: () => void) => void,
    ) => void next.set(method, [...(next.get(method) ?? []), answer]),
    /** Resolves when the next call of this method has come, with a function that answers it as usual. */
    holdNext: async (method: 'GET' | 'PUT') =>
      new Promise<() => void>((resolve) => {
        next.set(method, [...(next.get(method) ?? []), (_request, _response, go) => resolve(go)]);
      }),
    gateway: (settings: Partial<Config> = {}) => clientGateway(url, settings),
  };
}

/** Times of operations and calls in milliseconds. They end nothing on a busy machine, and hold up for good what waits in vain. */
export const TIMES = { UPSTREAM_TIMEOUT_MS: 100_000, OPERATION_TIMEOUT_MS: 600_000 };

/** Such a CRM, and a gateway over it. */
export async function clientGatewayOver(settings: Partial<Config> = {}) {
  const upstream = await clientUpstream();
  return { upstream, ...(await upstream.gateway(settings)) };
}

const idOf = ({ url }: IncomingMessage) => /(\d+)\.json/.exec(url ?? '')?.[1] ?? '';

/** The time of a change: the later the greater, a microsecond after the one before. */
export const timeOf = (change: number) => `2026-03-01T08:00:00.${String(change).padStart(6, '0')}Z`;

async function clientGateway(url: string, settings: Partial<Config>) {
  const over = await gatewayOver(url, { CRM_URL: new URL(url), ...TIMES, ...settings }, 'token');
  const headers = (token: string, timeoutMs: number | undefined) => ({
    'x-crm-token': token,
    ...(timeoutMs !== undefined && { 'x-trivium-timeout-ms': String(timeoutMs) }),
  });
  return {
    ...over,
    /** Renames client 1, or another one, with a token that upstream knows unless one is given. @returns the type or the message of the result, and the error, if any */
    change: async (
      name: string,
      at: string | undefined,
      { timeoutMs, id = '1', token = 'token' }: { timeoutMs?: number; id?: string; token?: string } = {},
    ) => {
      const { data, errors } = await over.execute(CHANGE, {
        variables: { id, name, at },
        headers: headers(token, timeoutMs),
      });
      const result: unknown = Reflect.get(Object(data), 'updateClient');
      return { result, error: errors[0], outcome: errors[0]?.extensions['outcome'] };
    },
  };
}

const CHANGE = `mutation ($id: ID!, $name: String!, $at: DateTime) {
  updateClient(id: $id, input: { name: $name }, ifUpdatedAt: $at) {
    __typename
    ... on Client { name }
    ... on ConflictError { current { ... on Client { name updatedAt } } }
  }
}`;

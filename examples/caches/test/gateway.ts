import assert from 'node:assert/strict';
import { print } from 'graphql';
import { startTrivium } from '../../trivium.ts';
import type { Endpoint, Json, JsonObject, Operation } from '../src/clients.ts';
import { documentOf } from '../src/documents.ts';
import { plain } from '../src/overlay.ts';
import type { Created, Named } from './operations.ts';

interface Answer {
  readonly data?: JsonObject;
  readonly errors?: Json;
}

export interface Gateway {
  readonly endpoint: Endpoint;
  readonly created: Created;
  /** Asks without a cache. */
  ask(named: Named): Promise<Json>;
  /** Takes the answer to a request that was made meanwhile, before any cache sees it. */
  watch(named: Named, request: () => Promise<unknown>): Promise<Json>;
  close(): Promise<void>;
}

export const operationOf = ([name, variables]: Named): Operation => ({ document: documentOf(name), variables });

/** Starts a gateway over a fresh sandbox. Errors of its answers are thrown. */
export async function startGateway(): Promise<Gateway> {
  const { url, onLog, close } = await startTrivium(['serve'], { LOG_LEVEL: 'warn' });
  onLog(console.error);
  const headers = { authorization: 'Bearer demo-admin', 'x-forum-authorization': `Basic ${btoa('demo:demo')}` };
  const ids = new Map<string, string>();
  let last: Json = null;
  const recordingFetch: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    const { data = null, errors } = (await response.clone().json()) as Answer;
    assert.equal(errors, undefined, JSON.stringify(errors));
    last = plain(data);
    return response;
  };
  const watch: Gateway['watch'] = async ([name], request) => {
    last = null;
    await request();
    const [, id] = /"id":"(.+?)"/.exec(JSON.stringify(last)) ?? [];
    if (id !== undefined) ids.set(name, id);
    return last;
  };
  return {
    endpoint: { url, headers, fetch: recordingFetch },
    created: (operation) => ids.get(operation) ?? assert.fail(`${operation} has created nothing.`),
    ask: (named) => {
      const { document, variables } = operationOf(named);
      const body = JSON.stringify({ query: print(document), variables });
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
      return watch(named, () => recordingFetch(url, init));
    },
    watch,
    close,
  };
}

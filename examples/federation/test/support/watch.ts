import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Running } from '../../../trivium.ts';
import type { Service } from '../../src/subgraph.ts';
import { asker } from './ask.ts';

/** The headers of each request that a subgraph gets from now on. */
export function received({ server }: Service): readonly IncomingHttpHeaders[] {
  const headers: IncomingHttpHeaders[] = [];
  server.prependListener('request', (request) => headers.push(request.headers));
  return headers;
}

export interface Calls {
  /** Requests that a router sent to trivium. */
  readonly requests: number;
  /** Calls that trivium made to its APIs for them. */
  readonly upstreamCalls: number;
}

const line = z.object({ operation: z.string().nullish(), upstreamCalls: z.int() });

/** Counts what trivium logs of operations: `LOG_LEVEL` has to be `info`. */
export function callCounter(trivium: Running) {
  const logged: z.output<typeof line>[] = [];
  const arrivals = new EventEmitter();
  trivium.onLog((text) => {
    const { success, data } = line.safeParse(JSON.parse(text));
    if (!success) return;
    logged.push(data);
    arrivals.emit(data.operation ?? '');
  });
  const direct = asker(trivium.url);
  let marks = 0;
  /** Waits for all lines up to now: an operation of its own has the last one. */
  const upToNow = async () => {
    const mark = `Mark${++marks}`;
    await Promise.all([once(arrivals, mark), direct(`query ${mark} { __typename }`)]);
    return logged.splice(0).filter(({ operation }) => operation !== mark);
  };
  return async <T>(run: () => Promise<T>): Promise<Calls & { readonly result: T }> => {
    await upToNow();
    const result = await run();
    const lines = await upToNow();
    return { result, requests: lines.length, upstreamCalls: lines.reduce((sum, each) => sum + each.upstreamCalls, 0) };
  };
}

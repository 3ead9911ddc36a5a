import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Running } from '../../../trivium.ts';
import type { Service } from '../../src/subgraph.ts';

/** The headers of each request that a subgraph gets from now on. */
export function received({ server }: Service): readonly IncomingHttpHeaders[] {
  const headers: IncomingHttpHeaders[] = [];
  server.prependListener('request', (request) => headers.push(request.headers));
  return headers;
}

const line = z.object({
  operation: z.string(),
  upstreamCalls: z.int(),
  errors: z.record(z.string(), z.int()),
});

/** Waits for what trivium logs of an operation. Apollo adds the subgraph and the step to its name: `Name__trivium__1`. */
export function logOf(trivium: Running) {
  const seen = new Map<string, z.output<typeof line>>();
  const arrivals = new EventEmitter();
  trivium.onLog((text) => {
    const { success, data } = line.safeParse(JSON.parse(text));
    if (!success) return;
    const [operation = ''] = data.operation.split('__');
    seen.set(operation, data);
    arrivals.emit(operation);
  });
  return async (operation: string) => {
    if (!seen.has(operation)) await once(arrivals, operation);
    return seen.get(operation);
  };
}

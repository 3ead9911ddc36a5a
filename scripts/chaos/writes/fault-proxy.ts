import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Where a connection is cut. What is cut in the request does not reach the target as a whole; all else is carried out. */
type Place =
  /** Within the request, after some bytes of its body. */
  | 'request'
  /** As soon as the target has the request. */
  | 'wait'
  /** Before the status of the answer. */
  | 'status'
  /** Within the answer, after some bytes of its body. */
  | 'body';

export interface FaultProxyOptions {
  /** Ports of this machine. Each request goes to one of them. */
  readonly ports: () => readonly number[];
  /** Random numbers from 0 up to a limit, from a seed. */
  readonly roll: (sides: number) => number;
  /** Of so many requests about one is cut. 0 cuts none. */
  readonly oneOf: number;
  /** Headers that are not passed on. */
  readonly without?: readonly string[];
  /** Called when the target has answered; the caller gets the answer when it has resolved. */
  readonly onAnswered?: (request: IncomingMessage) => Promise<void>;
}

export interface FaultProxy {
  readonly port: number;
  /** How many requests were cut so far, by the place. */
  readonly cuts: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

const PLACES: readonly Place[] = ['request', 'wait', 'status', 'body'];

/** Starts a proxy on a free port that cuts connections at random places. Requests are cut in the order in which they come. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { roll, oneOf } = options;
  const agent = new Agent({ keepAlive: true });
  const cuts = new Map<string, number>();
  const server = createServer((incoming, outgoing) => {
    const isCut = oneOf > 0 && roll(oneOf) === 0;
    const place = isCut ? PLACES[roll(PLACES.length)] : undefined;
    if (place !== undefined) cuts.set(place, (cuts.get(place) ?? 0) + 1);
    // A caller who left, and a target that is down or cut the connection itself: the caller sees a cut connection.
    passOn(options, agent, incoming, outgoing, place).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    cuts,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function passOn(
  { ports, roll, without = [], onAnswered }: FaultProxyOptions,
  agent: Agent,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  place: Place | undefined,
): Promise<void> {
  const body = await buffer(incoming);
  const dropped = new Set(['host', 'connection', 'transfer-encoding', ...without]);
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !dropped.has(name)));
  const targets = ports();
  const sent = request({
    host: '127.0.0.1',
    port: targets[roll(targets.length)],
    method: incoming.method,
    path: incoming.url,
    headers: { ...headers, ...(body.length > 0 && { 'content-length': body.length }) },
    agent,
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    sent.once('response', resolve).on('error', reject),
  );
  if (place === 'wait') sent.once('finish', () => outgoing.destroy());
  if (place === 'request') sent.write(body.subarray(0, roll(body.length)), () => sent.destroy());
  else sent.end(body);
  const answer = await answered;
  const bytes = await buffer(answer);
  await onAnswered?.(incoming);
  if (place === 'status') return void outgoing.destroy();
  const { 'transfer-encoding': _chunks, connection: _connection, ...kept } = answer.headers;
  const length = answer.statusCode === 204 ? {} : { 'content-length': bytes.length };
  outgoing.writeHead(answer.statusCode ?? 502, { ...kept, ...length });
  if (place === 'body') outgoing.write(bytes.subarray(0, roll(bytes.length)), () => outgoing.destroy());
  else outgoing.end(bytes);
}

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import { createServer as createSecureServer, Server as SecureServer } from 'node:https';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { Config } from '../config.ts';
import type { WriteOutcome } from '../errors.ts';
import type { Context } from '../operation/context.ts';

/** From this length on, in characters, a text is sent as bytes: Node would keep two copies of it until it is read. */
const LONG_TEXT = 64 * 1024;

/** A response that says when bytes are handed to it: Node has no event for that. */
export class WatchedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Called before and after bytes are handed over. */
  onBytes: (() => void) | undefined;
  /** Compresses its parts, on another thread. Undefined for most. */
  compressor: Writable | undefined;
  /** The time that the caller gives its operation, in milliseconds. Undefined until `readHead`, and without the header. */
  timeoutMs: number | undefined;
  /** The key under which the caller sends writes. Undefined until `readHead`, and without the header. */
  idempotencyKey: string | undefined;
  /** The running operation; undefined until the request is parsed. */
  operation: Pick<Context, 'writes' | 'gone'> | undefined;
  /** Whether its body may have a text that is given out once, such as a raw token. */
  holdsSecret = false;

  /** Aborts the operation, so that it starts no further upstream call. Returns the outcome of its writes. */
  endOperation(): WriteOutcome {
    this.operation?.gone.happen();
    return this.operation?.writes.ofOperation ?? 'REFUSED';
  }

  override write(...given: readonly unknown[]): boolean {
    return this.#handOver(ServerResponse.prototype.write, given) === true;
  }

  override end(...given: readonly unknown[]): this {
    this.#handOver(ServerResponse.prototype.end, given);
    return this;
  }

  #handOver(method: (...given: never[]) => unknown, given: readonly unknown[]): unknown {
    const [text, encoding] = given;
    const isLong = typeof text === 'string' && text.length >= LONG_TEXT && typeof encoding !== 'string';
    this.onBytes?.();
    const result: unknown = Reflect.apply(method, this, isLong ? [Buffer.from(text), ...given.slice(1)] : given);
    this.onBytes?.();
    return result;
  }
}

/**
 * Creates the server of the gateway.
 *
 * @param own the certificate of the gateway, for HTTPS; undefined for HTTP
 */
export function createHttpServer(
  config: Config,
  own: SecureContextOptions | undefined,
): Server<typeof IncomingMessage, typeof WatchedResponse> {
  // Duplicate headers are joined, so that two credentials are malformed. By default Node would drop the second one.
  const options = { ServerResponse: WatchedResponse, joinDuplicateHeaders: true, ...connectionLimits(config) };
  if (!own) return createServer(options);
  const callers = { requestCert: own.ca !== undefined, rejectUnauthorized: true };
  return createSecureServer({ ...options, ...own, ...callers, handshakeTimeout: config.RECEIVE_TIMEOUT_MS });
}

/** The limits of connections that Node itself keeps. `Connections` has those that Node lacks. */
function connectionLimits(config: Config): ServerOptions {
  const { RECEIVE_TIMEOUT_MS, MAX_REQUEST_BYTES, KEEP_ALIVE_TIMEOUT_MS } = config;
  return {
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    headersTimeout: RECEIVE_TIMEOUT_MS,
    // A caller that sends a byte per ms is served. One byte per RECEIVE_TIMEOUT_MS would keep a connection for months.
    requestTimeout: Math.max(300_000, RECEIVE_TIMEOUT_MS, MAX_REQUEST_BYTES),
    connectionsCheckingInterval: sweepInterval(config),
  };
}

/** How often connections are looked at: often enough that a limit of seconds is kept to a second. */
export function sweepInterval({ RECEIVE_TIMEOUT_MS, SEND_TIMEOUT_MS }: Config): number {
  return Math.min(1_000, Math.max(10, Math.min(RECEIVE_TIMEOUT_MS, SEND_TIMEOUT_MS) / 10));
}

/** Whether a server serves HTTPS. */
export function isSecure(server: Server): boolean {
  return server instanceof SecureServer;
}

/** Takes other certificates for connections from now on. Open connections are left alone. */
export function renewServer(server: Server, own: SecureContextOptions | undefined): void {
  if (!own || !(server instanceof SecureServer)) return;
  // With the old keys of tickets, a caller of an authority that was removed could resume its session.
  server.setSecureContext({ ...own, ticketKeys: randomBytes(48) });
}

/** The TCP connection below one over TLS; any other one itself. Node has no public way to it. */
export function tcpSocket(socket: Socket): Socket {
  const parent: unknown = 'encrypted' in socket ? Reflect.get(socket, '_parent') : undefined;
  return parent instanceof Socket ? parent : socket;
}

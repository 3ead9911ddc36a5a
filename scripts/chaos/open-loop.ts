// A load generator of bare sockets: it needs a small part of the CPU time that the gateway needs for the same requests.
import { connect, type Socket } from 'node:net';

/** One request whose answer came. */
export interface Answer {
  readonly status: number;
  readonly ms: number;
  /** Whether the answer says when to try again. */
  readonly hasRetryAfter: boolean;
}

/** The answers of a load, and how long it took. */
export interface LoadResult {
  readonly sent: number;
  readonly answers: readonly Answer[];
  readonly seconds: number;
}

/** Writes request number `index`. */
type RequestBytes = (index: number) => string;

/** How often requests are sent that are due, in milliseconds. */
const TICK_MS = 2;

/** The number of connections that are open before the load begins, as a load balancer keeps them. */
const OPEN_BEFORE = 500;

/** How long answers are waited for after the last request, in milliseconds. */
const PATIENCE_MS = 10_000;

/** A load opens no more connections than this. */
const MAX_CONNECTIONS = 3_000;

/** Sends a request on each connection as soon as the one before it is answered. */
export async function closedLoop(port: number, requestBytes: RequestBytes, connections: number, seconds: number) {
  const load = new Load(port, requestBytes);
  const end = performance.now() + seconds * 1000;
  const caller = async () => {
    while (performance.now() < end) await load.send();
  };
  await Promise.all(Array.from({ length: connections }, caller));
  return load.finish();
}

/**
 * Sends so many requests per second, however many of them are answered. Each goes over an idle connection, or over a new one
 * when there is none.
 */
export async function openLoop(
  port: number,
  requestBytes: RequestBytes,
  { perSecond, seconds }: { perSecond: number; seconds: number },
) {
  const load = new Load(port, requestBytes);
  await load.connect(OPEN_BEFORE);
  const start = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = (performance.now() - start) / 1000;
      const due = Math.min(elapsed, seconds) * perSecond;
      while (load.sent < due) void load.send();
      if (elapsed < seconds) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
  const waitedFrom = performance.now();
  await load.idle();
  return load.finish(performance.now() - waitedFrom);
}

/**
 * Sends requests at the same moment, each over a connection of its own.
 *
 * @param isOpen whether the connections are open before
 */
export async function burst(port: number, requestBytes: RequestBytes, count: number, isOpen: boolean) {
  const load = new Load(port, requestBytes);
  if (isOpen) await load.connect(count);
  return load.burst(count);
}

/** The latency that 99 of 100 answers do not exceed, in milliseconds. */
export function p99Of(answers: readonly Pick<Answer, 'ms'>[]): number {
  const ascending = answers.map((answer) => answer.ms).sort((one, other) => one - other);
  return ascending[Math.floor(ascending.length * 0.99)] ?? 0;
}

class Load {
  sent = 0;
  readonly #port: number;
  readonly #requestBytes: RequestBytes;
  readonly #answers: Answer[] = [];
  readonly #free: Connection[] = [];
  readonly #all: Connection[] = [];
  #start = performance.now();
  #underWay = 0;
  #onIdle: (() => void) | undefined;

  constructor(port: number, requestBytes: RequestBytes) {
    this.#port = port;
    this.#requestBytes = requestBytes;
  }

  /** Opens connections, one after the other. */
  async connect(count: number): Promise<void> {
    while (this.#all.length < count) {
      const connection = this.#open();
      if (!connection) return;
      await connection.opened;
      this.#free.push(connection);
    }
    this.#start = performance.now();
  }

  /** Resolves when the request is answered. */
  async send(): Promise<void> {
    const bytes = this.#requestBytes(this.sent);
    this.sent += 1;
    const connection = this.#freeOne() ?? this.#open();
    if (!connection) return;
    this.#underWay += 1;
    const answer = await connection.ask(bytes);
    this.#underWay -= 1;
    if (answer) {
      this.#answers.push(answer);
      this.#free.push(connection);
    }
    if (this.#underWay === 0) this.#onIdle?.();
  }

  async burst(count: number): Promise<LoadResult> {
    this.#start = performance.now();
    for (let left = count; left > 0; left--) void this.send();
    await this.idle();
    return this.finish();
  }

  /** Resolves when no request is under way, or nobody waits any longer. */
  async idle(): Promise<void> {
    if (this.#underWay === 0) return;
    const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
    await Promise.race([idle, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())]);
  }

  finish(waitedMs = 0): LoadResult {
    for (const connection of this.#all) connection.close();
    return { sent: this.sent, answers: this.#answers, seconds: (performance.now() - this.#start - waitedMs) / 1000 };
  }

  /** One that the gateway has closed in the meantime, such as one that sent nothing for long, is none. */
  #freeOne(): Connection | undefined {
    let connection = this.#free.pop();
    while (connection?.isClosed) connection = this.#free.pop();
    return connection;
  }

  #open(): Connection | undefined {
    if (this.#all.length >= MAX_CONNECTIONS) return undefined;
    const connection = new Connection(this.#port);
    this.#all.push(connection);
    return connection;
  }
}

/** A connection with one request at a time. */
class Connection {
  readonly opened: Promise<unknown>;
  readonly #socket: Socket;
  #startedAt = 0;
  #head = '';
  #bytesLeft = 0;
  #settle: ((answer: Answer | undefined) => void) | undefined;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setNoDelay();
    this.opened = new Promise((resolve) => this.#socket.once('connect', resolve).once('close', resolve));
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('error', () => {}); // a request without an answer is seen in the result
    this.#socket.on('close', () => this.#settle?.(undefined));
  }

  get isClosed(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }

  /** Undefined when the connection is closed before the answer came. */
  ask(bytes: string): Promise<Answer | undefined> {
    this.#startedAt = performance.now();
    this.#head = '';
    this.#socket.write(bytes);
    return new Promise((resolve) => (this.#settle = resolve));
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (!this.#settle) return; // the 408 before a connection is closed that sent nothing
    if (this.#head === '') {
      const end = chunk.indexOf('\r\n\r\n');
      if (end === -1) throw new Error('The head of an answer came in parts.');
      this.#head = chunk.toString('latin1', 0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(this.#head)?.[1];
      if (length === undefined) throw new Error(`An answer has no length: ${this.#head}`);
      this.#bytesLeft = end + 4 + Number(length);
    }
    this.#bytesLeft -= chunk.length;
    if (this.#bytesLeft > 0) return;
    const settle = this.#settle;
    this.#settle = undefined;
    settle({
      status: Number(this.#head.slice(9, 12)),
      ms: performance.now() - this.#startedAt,
      hasRetryAfter: /\r\nretry-after: \d/i.test(this.#head),
    });
  }
}

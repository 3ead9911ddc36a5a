import { type DestinationStream, type Logger, pino } from 'pino';

/** Keys whose values are redacted. */
const SECRETS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'token', 'api_token', 'password']);

/** The levels of objects in which secrets are looked for. */
const MAX_LEVELS = 3;

/** Creates the log, which makes JSON lines. The gateway logs no secrets; redaction is a second safeguard. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino({ level, formatters: { log: (line) => redacted(line, MAX_LEVELS) } }, destination);
}

/** Creates a function that logs the stack of an error that nobody handled. The process ends because of it. */
export function logsUncaught(log: Logger): (stack: string) => void {
  return (stack) => log.fatal({ stack }, 'uncaught error: the process ends');
}

/** How many bytes of lines are written at once. */
interface BatchLimits {
  /** The bytes of waiting lines from which they are written. */
  readonly batchBytes: number;
  /** The most bytes of one write, unless a single line has more. */
  readonly maxWriteBytes: number;
}

/** A pipe takes a write of 4 KB at once, so that lines of several processes do not mix. */
const SHARED_PIPE: BatchLimits = { batchBytes: 3584, maxWriteBytes: 4096 };

/** A pipe of its own takes 64 KB before the writer has to wait. */
const OWN_PIPE: BatchLimits = { batchBytes: 48 * 1024, maxWriteBytes: 64 * 1024 };

/** The longest that a line waits, in milliseconds. */
const MAX_WAIT_MS = 50;

/** The waiting bytes beyond which lines are dropped: the reader of standard error does not read. */
const MAX_WAITING_BYTES = 16 * 1024 ** 2;

/**
 * Writes lines to standard error in batches: one write for each line would take a third of the time of a small operation.
 * Waiting lines are written when the process exits, also after an exception. In a terminal they are lines for people.
 *
 * @param isShared whether other processes write lines to the same standard error
 */
export async function standardError(isShared: boolean): Promise<DestinationStream> {
  const limits = isShared ? SHARED_PIPE : OWN_PIPE;
  const { batchBytes: minLength, maxWriteBytes: maxWrite } = limits;
  const destination = pino.destination({ dest: 2, sync: false, minLength, maxWrite, maxLength: MAX_WAITING_BYTES });
  const lines = new LineBatches(destination, limits);
  process.prependOnceListener('exit', () => lines.end()); // before pino ends its destination
  if (!process.stderr.isTTY) return lines;
  const format = await terminalLines({ colors: process.stderr.hasColors() });
  return { write: (line) => lines.write(format(line)) };
}

/** The control characters but the tab and the end of a line: a terminal would obey them. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g; // oxlint-disable-line no-control-regex -- control characters are what it replaces

/**
 * Creates a function that turns a line of the log in JSON into one for people. Control characters in its texts, which may come
 * from outside, are replaced.
 *
 * @internal exported for the tests
 */
export async function terminalLines({ colors }: { readonly colors: boolean }): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    colorize: colors,
    ignore: 'pid,hostname',
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
  });
  return (line) => pretty(JSON.parse(line, (_key, value: unknown) => withoutControls(value))) ?? '';
}

function withoutControls(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(CONTROLS, '\ufffd') : value;
}

/** Takes batches of lines, and writes them at once or later: fewer bytes than a batch wait for a flush. */
interface BatchDestination {
  write(lines: string): unknown;
  /** Begins to write what waits, unless it writes already. */
  flush(): void;
  /** Writes what waits before it returns, but for what is being written. */
  flushSync(): void;
  /** Calls a function whenever it has written all that it was told to write. */
  on(event: 'drain', listener: () => void): unknown;
}

/**
 * Collects lines for a destination. pino's destination can do it, too, but measures all waiting lines for
 * each new one.
 *
 * @internal exported for the tests
 */
export class LineBatches implements DestinationStream {
  readonly #destination: BatchDestination;
  readonly #limits: BatchLimits;
  #lines = '';
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #isWriting = false;
  /** Whether lines came during a write, and have waited for long enough. */
  #isDue = false;

  constructor(destination: BatchDestination, limits: BatchLimits) {
    this.#destination = destination;
    this.#limits = limits;
    destination.on('drain', this.#onDrain);
  }

  write(line: string): void {
    const { batchBytes, maxWriteBytes } = this.#limits;
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > maxWriteBytes) this.#writeBatch();
    this.#lines += line;
    this.#bytes += bytes;
    if (this.#bytes >= batchBytes) this.#writeBatch();
    else if (!this.#timer) this.#timer = setTimeout(this.#onTimer, MAX_WAIT_MS).unref();
  }

  /** Writes the waiting lines at once. */
  end(): void {
    this.#writeBatch();
    this.#destination.flushSync();
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    this.#isDue = this.#isWriting;
    this.#writeBatch();
    this.#flush();
  };

  readonly #onDrain = (): void => {
    this.#isWriting = false;
    if (this.#isDue) this.#flush();
  };

  #flush(): void {
    if (!this.#isWriting) this.#isDue = false;
    this.#isWriting = true;
    this.#destination.flush();
  }

  #writeBatch(): void {
    if (this.#bytes >= this.#limits.batchBytes) this.#isWriting = true;
    if (this.#bytes > 0) this.#destination.write(this.#lines);
    this.#lines = '';
    this.#bytes = 0;
  }
}

/**
 * Returns a value, or a copy of it without the values under secret keys.
 *
 * @param levels of objects, in which these keys are looked for
 */
function redacted<T>(value: T, levels: number): T {
  if (levels === 0 || typeof value !== 'object' || value === null) return value;
  let copy: T | undefined;
  for (const key in value) {
    const inner: unknown = value[key];
    const shown: unknown = SECRETS.has(key) ? '[redacted]' : redacted(inner, levels - 1);
    if (shown !== inner) Reflect.set((copy ??= { ...value }), key, shown);
  }
  return copy ?? value;
}

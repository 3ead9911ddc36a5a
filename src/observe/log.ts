import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';
import { droppedLines, errorCode } from '../system.ts';

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

/** The most bytes of one write, unless a line has more: a pipe takes them before the writer has to wait. */
const MAX_WRITE_BYTES = 64 * 1024;

/** The longest that a line waits, in milliseconds. */
const MAX_WAIT_MS = 50;

/** The waiting bytes beyond which lines are dropped: the reader of standard error does not read. */
const MAX_WAITING_BYTES = 16 * 1024 ** 2;

/** The pause before a pipe that is full is tried again, in milliseconds. */
const RETRY_MS = 10;

/** The longest that the exit of the process waits for the reader of the last lines, in milliseconds. */
const LAST_LINES_MS = 100;

/**
 * Writes lines to standard error in batches: one write for each line would take a third of the time of a small operation.
 * Waiting lines are written when the process exits, also after an exception. In a terminal they are lines for people.
 */
export async function standardError(): Promise<DestinationStream> {
  const { fd, isTTY } = process.stderr;
  const lines = new LineWriter(nonBlocking(fd));
  process.once('exit', () => lines.end());
  if (!isTTY) return lines;
  const format = await terminalLines({ colors: process.stderr.hasColors() });
  return { write: (line) => lines.write(format(line)) };
}

/**
 * Opens a pipe anew: a write that waits for a reader would hold up the exit of the process for ever. Node makes the pipes of its
 * standard streams non-blocking, and each process that starts or ends makes those that it shares blocking again.
 */
function nonBlocking(fd: number): number {
  try {
    return fstatSync(fd).isFIFO() ? openSync(`/dev/fd/${fd}`, constants.O_WRONLY + constants.O_NONBLOCK) : fd;
  } catch {
    return fd; // its reader has left, or belongs to another user
  }
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

interface FileWrites {
  write(fd: number, bytes: Uint8Array, done: (error: NodeJS.ErrnoException | null, written: number) => void): void;
  writeSync(fd: number, bytes: Uint8Array): number;
}

const FILES: FileWrites = { write, writeSync };

/**
 * Writes lines in batches to a file descriptor, and never throws. Lines that cannot be written are dropped and counted; after
 * the next successful write a line reports the count. A full pipe is tried again until the process exits.
 *
 * @internal exported for the tests
 */
export class LineWriter implements DestinationStream {
  readonly #fd: number;
  readonly #maxWriteBytes: number;
  readonly #files: FileWrites;
  /** The next batch. */
  #lines = '';
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The first one, or its rest, is being written. */
  readonly #batches: Buffer[] = [];
  #waitingBytes = 0;
  #state: 'idle' | 'writing' | 'full pipe' = 'idle';
  /** Whether the last line was written in part. */
  #isTorn = false;
  #reported = 0;

  /**
   * @param maxWriteBytes of one write, unless a line has more
   * @param files given by tests
   */
  constructor(fd: number, maxWriteBytes = MAX_WRITE_BYTES, files = FILES) {
    this.#fd = fd;
    this.#maxWriteBytes = maxWriteBytes;
    this.#files = files;
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) {
      droppedLines.count += 1;
      return;
    }
    if (this.#bytes + bytes > this.#maxWriteBytes) this.#endBatch();
    if (this.#batches.length > 0) this.#writeNext();
    this.#lines += line;
    this.#bytes += bytes;
    this.#waitingBytes += bytes;
    this.#timer ??= setTimeout(this.#onTimer, MAX_WAIT_MS).unref();
  }

  /** Writes the waiting lines before it returns. Waits for the reader of a full pipe for LAST_LINES_MS at most. */
  end(): void {
    this.#endBatch();
    if (this.#state === 'writing') this.#batches.shift();
    const deadline = performance.now() + LAST_LINES_MS;
    for (let [batch] = this.#batches; batch; [batch] = this.#batches) {
      try {
        const written = this.#files.writeSync(this.#fd, batch);
        if (written < batch.length) this.#batches[0] = batch.subarray(written);
        else this.#batches.shift();
      } catch (error) {
        if (errorCode(error) !== 'EAGAIN' || performance.now() > deadline) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    this.#writeNext();
  };

  #endBatch(): void {
    if (this.#bytes > 0) this.#batches.push(Buffer.from(this.#lines));
    this.#lines = '';
    this.#bytes = 0;
  }

  #writeNext(): void {
    if (this.#state !== 'idle') return;
    if (this.#batches.length === 0 && !this.#timer) this.#endBatch(); // its lines have waited long enough
    const [batch] = this.#batches;
    if (batch) this.#write(this.#isTorn ? Buffer.concat([Buffer.from('\n'), batch]) : batch);
  }

  #write(batch: Buffer, isRest = false): void {
    this.#waitingBytes += batch.length - (this.#batches[0]?.length ?? 0);
    this.#batches[0] = batch;
    this.#state = 'writing';
    this.#files.write(this.#fd, batch, (error, written) => {
      if (error?.code === 'EAGAIN') {
        this.#state = 'full pipe';
        setTimeout(() => this.#write(batch, isRest), RETRY_MS).unref();
      } else if (!error && written < batch.length) this.#write(batch.subarray(written), true);
      else this.#onEnd(batch, error !== null, isRest);
    });
  }

  #onEnd(batch: Buffer, isDropped: boolean, isRest: boolean): void {
    this.#batches.shift();
    this.#waitingBytes -= batch.length;
    this.#state = 'idle';
    if (isDropped) droppedLines.count += batch.toString('latin1').trimStart().split('\n').length - 1;
    this.#isTorn = isDropped && (isRest || this.#isTorn);
    if (!isDropped && droppedLines.count !== this.#reported) this.#report(droppedLines.count);
    this.#writeNext();
  }

  /** Reports the number since the start: a report that is dropped, too, is made up for by the next one. */
  #report(dropped: number): void {
    this.#reported = dropped;
    const line = { level: 40, time: Date.now(), pid: process.pid, hostname: hostname(), dropped };
    this.write(`${JSON.stringify({ ...line, msg: 'lines of the log were dropped' })}\n`);
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

import { type DestinationStream, type Logger, pino } from 'pino';

/** Keys whose values are redacted. */
const SECRETS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'token', 'api_token', 'password']);

/** Secrets are looked for in so many levels of objects. */
const MAX_LEVELS = 3;

/** Creates the log, which writes JSON lines. The gateway logs no secrets; redaction is a second safeguard. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino({ level, formatters: { log: (line) => redacted(line, MAX_LEVELS) } }, destination);
}

/** Lines are written once so many bytes wait: most of one write, with room for a last line. */
const BATCH_BYTES = 3584;

/** One write has at most so many bytes: a pipe takes them at once, so that lines of several workers do not mix. */
const MAX_WRITE_BYTES = 4096;

/** The longest that a line waits, in milliseconds. */
const MAX_WAIT_MS = 50;

/** Lines are dropped while so many bytes wait: the reader of standard error does not read. */
const MAX_WAITING_BYTES = 16 * 1024 ** 2;

/**
 * Writes lines to standard error in batches: one write for each line would take a third of the time of a small operation.
 * Waiting lines are written when the process exits, also after an exception.
 */
export function standardError(): DestinationStream {
  const lines = new LineBatches();
  process.prependOnceListener('exit', () => lines.end()); // before pino ends its destination
  return lines;
}

/** Collects lines for a destination. pino's destination does it, too, but measures all waiting lines for each new one. */
class LineBatches implements DestinationStream {
  readonly #destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: BATCH_BYTES,
    maxWrite: MAX_WRITE_BYTES,
    maxLength: MAX_WAITING_BYTES,
  });
  #lines = '';
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > MAX_WRITE_BYTES) this.#writeBatch();
    this.#lines += line;
    this.#bytes += bytes;
    if (this.#bytes >= BATCH_BYTES) this.#writeBatch();
    else if (!this.#timer) this.#timer = setTimeout(() => this.#onTimer(), MAX_WAIT_MS).unref();
  }

  /** Writes the waiting lines at once. */
  end(): void {
    this.#writeBatch();
    this.#destination.flushSync();
  }

  #onTimer(): void {
    this.#timer = undefined;
    this.#writeBatch();
    this.#destination.flush();
  }

  #writeBatch(): void {
    if (this.#bytes > 0) this.#destination.write(this.#lines);
    this.#lines = '';
    this.#bytes = 0;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the object, or a copy of it without the values under secret keys. */
function redacted(object: Fields, levels: number): Fields {
  let copy: Record<string, unknown> | undefined;
  for (const key in object) {
    const value = object[key];
    const shown = SECRETS.has(key) ? '[redacted]' : redactedValue(value, levels - 1);
    if (shown !== value) (copy ??= { ...object })[key] = shown;
  }
  return copy ?? object;
}

function redactedValue(value: unknown, levels: number): unknown {
  return levels > 0 && hasFields(value) ? redacted(value, levels) : value;
}

function hasFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

import type { Get } from '../transport/exchange.ts';
import type { Call } from '../transport/call.ts';
import type { ReadSharing, SharedRead } from '../transport/read-sharing.ts';
import type { ByteLimit } from '../transport/messages.ts';

/**
 * A read in the map of its credential. It is emptied when the call is over: V8 chains the old tables of a map whose entries
 * come and go, and what they hold stays alive until the next collection of everything.
 */
interface Entry<Body> {
  read: SharedRead<Body> | undefined;
}

/**
 * The reads of all operations at one API that are under way, by the credential that they carry.
 *
 * An identical read of the same credential joins such a call, unless a write of what it shows began or ended since: that is
 * another generation. The same URL with another byte limit is another read, too. Only calls under way are shared, never
 * responses: a call is forgotten before anybody learns how it ended. So a credential is held as long as the requests that carry
 * it, and the memory is bounded by the calls under way.
 *
 * @see docs/decisions/0026-shared-reads.md
 */
export class SharedReads<Body> {
  readonly #byCredential = new Map<string, Map<string, Entry<Body>>>();
  #joined = 0;

  /** How many reads have joined a call until now. */
  get joined(): number {
    return this.#joined;
  }

  /**
   * Returns the call of an identical read that is under way, else the one that `start` starts.
   *
   * @param generation that of what the read shows, now
   * @param start takes a function to call when the call is over
   */
  find(
    credential: string,
    generation: string,
    { path }: Get,
    limit: ByteLimit,
    start: (onOver: () => void) => Call,
  ): SharedRead<Body> {
    const key = `${generation} ${limit.bytes} ${path.path}`; // the query may hold a token: the key lives as long as the call
    const reads = this.#byCredential.get(credential) ?? new Map<string, Entry<Body>>();
    const known = reads.get(key)?.read;
    if (known) {
      this.#joined += 1;
      return known;
    }

    this.#byCredential.set(credential, reads);
    const entry: Entry<Body> = { read: undefined };
    const onOver = () => {
      entry.read = undefined;
      if (reads.get(key) !== entry) return;
      reads.delete(key);
      if (reads.size === 0 && this.#byCredential.get(credential) === reads) this.#byCredential.delete(credential);
    };
    const started: SharedRead<Body> = { call: start(onOver), parsed: undefined };
    entry.read = started;
    reads.set(key, entry);
    return started;
  }

  /** How many calls may be joined. */
  get size(): number {
    return [...this.#byCredential.values()].reduce((sum, reads) => sum + reads.size, 0);
  }
}

/** The shared reads of one API as one operation uses them. */
export class OperationSharing<Body> implements ReadSharing<Body> {
  readonly #reads: SharedReads<Body>;
  readonly #credential: () => string;
  readonly #generationOf: (endpoint: string) => string | undefined;

  /**
   * @param credential returns the credential of the operation's requests to this API, which differ from those of other
   *   callers by nothing else
   * @param generationOf returns the generation of what an endpoint shows, by method and template. Undefined when it is not known,
   *   and when each read of the operation has a call of its own
   */
  constructor(
    reads: SharedReads<Body>,
    credential: () => string,
    generationOf: (endpoint: string) => string | undefined,
  ) {
    this.#reads = reads;
    this.#credential = credential;
    this.#generationOf = generationOf;
  }

  find(request: Get, limit: ByteLimit, start: (onOver: () => void) => Call): SharedRead<Body> | undefined {
    const generation = this.#generationOf(`GET ${request.path.template}`);
    return generation === undefined
      ? undefined
      : this.#reads.find(this.#credential(), generation, request, limit, start);
  }
}

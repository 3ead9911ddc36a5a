/** Generations that several processes share. */
export interface SharedGenerations {
  /** Returns the generation of each subject. Undefined when they cannot be known: no kept answer may be used then. */
  read(): Promise<ReadonlyMap<string, string> | undefined>;
  /** Begins a new generation of each subject, in all processes once it resolves. Never rejects. */
  renew(subjects: readonly string[]): Promise<void>;
  /** Tells no more. */
  close(): void;
}

/**
 * The generations of what answers show. A write begins a new generation of what it may change; an answer is used only
 * in the generation in which its call began.
 */
export class Generations {
  readonly shared: SharedGenerations | undefined;
  readonly #own = new Map<string, number>();

  /** @param shared undefined when no other process writes */
  constructor(shared?: SharedGenerations) {
    this.shared = shared;
  }

  /**
   * Begins a new generation of each subject, in this process at once.
   *
   * @returns a promise until it is so in all processes; undefined where there is no other one
   */
  renew(subjects: readonly string[]): Promise<void> | undefined {
    for (const subject of subjects) this.#own.set(subject, this.own(subject) + 1);
    return this.shared?.renew(subjects);
  }

  /** The generation of a subject in this process. */
  own(subject: string): number {
    return this.#own.get(subject) ?? 0;
  }
}

/** The generations of some subjects at one time. */
export interface Generation {
  /** The sum of those of this process, which tells each change, as all of them only grow. */
  readonly own: number;
  /** Those that processes share, as a text. Undefined when they are not known. */
  readonly shared: string | undefined;
}

/** Whether nothing was written between two times, as far as is known. */
export function isSameGeneration(one: Generation, other: Generation): boolean {
  if (one.own !== other.own) return false;
  return one.shared === other.shared || one.shared === undefined || other.shared === undefined;
}

/** The generations as one operation sees them: those of this process now, and the shared ones at its first read. */
export class OperationGenerations {
  readonly #generations: Generations;
  #reading: Promise<void> | undefined;
  #shared: ReadonlyMap<string, string> | undefined;
  #isReady: boolean;
  #isForbidden = false;

  constructor(generations: Generations) {
    this.#generations = generations;
    this.#isReady = generations.shared === undefined;
  }

  /** Tells no generation any more: the operation writes, so that its reads have calls of their own, whose answers are not kept. */
  forbid(): void {
    this.#isForbidden = true;
    this.#isReady = true;
  }

  /** Resolves when the generations are known, or known not to be. Undefined from then on. */
  ready(): Promise<void> | undefined {
    return this.#isReady ? undefined : (this.#reading ??= this.#read());
  }

  /** Whether the shared generations are known, or there are none. */
  get isKnown(): boolean {
    return !this.#generations.shared || this.#shared !== undefined;
  }

  /** Returns the generations of some subjects. Undefined for an operation that writes. */
  of(subjects: readonly string[]): Generation | undefined {
    if (this.#isForbidden) return undefined;
    let own = 0;
    let shared = this.isKnown ? '' : undefined;
    for (const subject of subjects) {
      own += this.#generations.own(subject);
      if (this.#shared) shared += ` ${this.#shared.get(subject) ?? ''}`;
    }
    return { own, shared };
  }

  async #read(): Promise<void> {
    this.#shared = await this.#generations.shared?.read();
    this.#isReady = true;
  }
}

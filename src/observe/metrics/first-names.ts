/** A longer name is not kept: it counts among the others. */
const MAX_LENGTH = 100;

/** The number of trusted names that are kept: a manifest may have thousands, and each name is some twenty series. */
const MAX_TRUSTED = 1_000;

/** The names beyond the first ones. */
const OTHER = 'other';

/** Bounds the values of a label by keeping the first names. */
export class FirstNames {
  readonly #max: number;
  readonly #names = new Set<string>();
  readonly #trusted = new Set<string>();

  /** @param max how many names are kept; all others are `other` */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Returns the name, or `other`.
   *
   * @param isTrusted whether the owner of the gateway has chosen the name: it takes no place of the first names
   */
  labelOf(name: string, isTrusted = false): string {
    if (this.#trusted.has(name) || this.#names.has(name)) return name;
    const [names, max] = isTrusted ? [this.#trusted, MAX_TRUSTED] : [this.#names, this.#max];
    if (names.size >= max || name.length > MAX_LENGTH) return OTHER;
    names.add(name);
    return name;
  }
}

/** A longer name is not kept: it counts among the others. */
const MAX_LENGTH = 100;

/** The names beyond the first ones. */
const OTHER = 'other';

/** Bounds the values of a label by keeping the first names. */
export class FirstNames {
  readonly #max: number;
  readonly #names = new Set<string>();

  /** @param max how many names are kept; all others are `other` */
  constructor(max: number) {
    this.#max = max;
  }

  /** Returns the name, or `other`. */
  labelOf(name: string): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= this.#max || name.length > MAX_LENGTH) return OTHER;
    this.#names.add(name);
    return name;
  }
}

import { entryPath, quoted } from './entry-path.ts';

/** A name that cannot be used. */
export interface NameProblem {
  /** One line that says what to write. */
  readonly text: string;
  /** The entries of the mapping that it is about. */
  readonly entries: readonly string[];
}

/** Names of one kind that must differ: the types of a schema, the fields of a type, the values of an enum. */
export class NameRegister {
  /** Such as `type`, for messages. */
  readonly #kind: string;
  readonly #reserved: ReadonlySet<string>;
  readonly #problems: NameProblem[];
  /** The entry that has the name. */
  readonly #taken = new Map<string, string>();

  constructor(kind: string, reserved: Iterable<string>, problems: NameProblem[]) {
    this.#kind = kind;
    this.#reserved = new Set(reserved);
    this.#problems = problems;
  }

  /**
   * Takes a name for an entry of the mapping, or notes a problem.
   *
   * @param path the keys of the entry
   * @param taken all names that come with it, by default the name alone
   * @returns whether it is a name of GraphQL, be it another's, too
   */
  take(name: string, path: readonly string[], taken: readonly string[] = [name]): boolean {
    const entry = entryPath(['names', ...path]);
    const problem = this.#problemOf(name);
    if (problem !== undefined) this.#problems.push({ text: `${entry}: ${problem}.`, entries: [entry] });
    else for (const one of taken) this.#takeOne(one, name, entry);
    return problem === undefined;
  }

  #problemOf(name: string): string | undefined {
    if (name === '') return `write a name for this ${this.#kind}`;
    if (!/^[_a-zA-Z]\w*$/.test(name)) return `${quoted(name)} is no name in GraphQL: write letters, digits and _ only`;
    if (name.startsWith('__')) return `${quoted(name)} begins with __, which GraphQL reserves: write another name`;
    return undefined;
  }

  #takeOne(name: string, of: string, entry: string): void {
    const owner = this.#taken.get(name);
    const which = `the ${this.#kind} ${quoted(name)}${name === of ? '' : `, made of ${quoted(of)},`}`;
    if (this.#reserved.has(name)) this.#note([entry], `${which} is reserved`);
    else if (owner !== undefined && owner !== entry) this.#note([entry, owner], `${which} is that of ${owner}`);
    else this.#taken.set(name, entry);
  }

  #note(entries: readonly string[], problem: string): void {
    this.#problems.push({ text: `${entries[0]}: ${problem}: write another name.`, entries });
  }
}

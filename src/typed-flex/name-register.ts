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
  /** The keys of the entry that has the name. */
  readonly #taken = new Map<string, readonly string[]>();

  constructor(kind: string, reserved: Iterable<string>, problems: NameProblem[]) {
    this.#kind = kind;
    this.#reserved = new Set(reserved);
    this.#problems = problems;
  }

  /**
   * Takes a name for an entry of the mapping, or notes a problem.
   *
   * @param path the keys of the entry
   * @param names all names that come with it, each once; by default the name alone
   * @returns whether it could be taken
   */
  take(name: string, path: readonly string[], names: readonly string[] = [name]): boolean {
    const problem = this.#problemOf(name);
    const other = names.find((one) => this.#reserved.has(one) || this.#taken.has(one));
    if (problem !== undefined) this.#note([path], problem);
    else if (other !== undefined) this.#noteOther(other, name, path);
    else for (const one of names) this.#taken.set(one, path);
    return problem === undefined && other === undefined;
  }

  #problemOf(name: string): string | undefined {
    if (name === '') return `write a name for this ${this.#kind}`;
    if (!/^[_a-zA-Z]\w*$/.test(name)) return `${quoted(name)} is no name in GraphQL: write letters, digits and _ only`;
    if (name.startsWith('__')) return `${quoted(name)} begins with __, which GraphQL reserves: write another name`;
    return undefined;
  }

  #noteOther(other: string, name: string, path: readonly string[]): void {
    const which = `the ${this.#kind} ${quoted(other)}${other === name ? '' : `, made of ${quoted(name)},`}`;
    const owner = this.#taken.get(other);
    if (owner) this.#note([path, owner], `${which} is that of ${entryPath(['names', ...owner])}: write another name`);
    else this.#note([path], `${which} is reserved: write another name`);
  }

  #note(paths: readonly (readonly string[])[], problem: string): void {
    const entries = paths.map((path) => entryPath(['names', ...path]));
    this.#problems.push({ text: `${entries[0]}: ${problem}.`, entries });
  }
}

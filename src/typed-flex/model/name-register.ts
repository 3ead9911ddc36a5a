import { quoted } from '../snapshot/entry-path.ts';
import { type NameProblems, namesEntry } from './name-problems.ts';

/** Names of one kind that must differ: the types of a schema, the fields of a type, the values of an enum. */
export class NameRegister {
  /** Such as `type`, for messages. */
  readonly #kind: string;
  readonly #reserved: ReadonlySet<string>;
  readonly #problems: NameProblems;
  /** The keys of the entry that has the name. */
  readonly #taken = new Map<string, readonly string[]>();

  constructor(kind: string, reserved: Iterable<string>, problems: NameProblems) {
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
    if (problem !== undefined) this.#problems.note(path, problem, { isOpen: name === '' });
    else if (other !== undefined) this.#noteOther(other, name, path);
    else for (const one of names) this.#taken.set(one, path);
    return problem === undefined && other === undefined;
  }

  #problemOf(name: string): string | undefined {
    if (name === '') return `write a name for this ${this.#kind}${this.#kind === 'field' ? OR_NULL : ''}`;
    if (!/^[_a-zA-Z]\w*$/.test(name))
      return `${quoted(name)} is no name in GraphQL: write letters of ASCII, digits and _, and no digit first`;
    if (name.startsWith('__')) return `${quoted(name)} begins with __, which GraphQL reserves: write another name`;
    return undefined;
  }

  #noteOther(other: string, name: string, path: readonly string[]): void {
    const which = `the ${this.#kind} ${quoted(other)}${other === name ? '' : `, made of ${quoted(name)},`}`;
    const owner = this.#taken.get(other);
    const problem = owner ? `${which} is that of ${namesEntry(owner)}` : `${which} is reserved`;
    this.#problems.note(path, `${problem}: write another name`, { clash: which, others: owner ? [owner] : [] });
  }
}

const OR_NULL = ', or null to leave it in `extra`';

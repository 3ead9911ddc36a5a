import { type ASTNode, Kind, type SelectionNode, type SelectionSetNode, type ValidationContext } from 'graphql';

/** Counts of an operation, or of a part of it, which the limits bound. All but the depth add up. */
export interface Size {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly __schema: number;
  readonly __type: number;
}

const NOTHING: Size = { depth: 0, aliases: 0, directives: 0, __schema: 0, __type: 0 };

interface Selecting {
  readonly selectionSet?: SelectionSetNode | undefined;
}

/** Where a document passes a limit. */
export interface Place {
  readonly node: ASTNode;
  /** The path of its field in the response, without indexes: `clients.nodes.deals`. Cut, as a name may be of any length. */
  readonly path: string;
}

/** Longer paths are cut, in characters. */
const MAX_PATH_LENGTH = 200;

/** Shows the path of a field in a message. */
export function shownPath(names: readonly string[]): string {
  const path = names.join('.');
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
}

/** Measures the operations of one document, which need not be valid. A fragment counts at each spread, but is measured once. */
export class DocumentSizes {
  readonly #context: ValidationContext;
  readonly #fragments = new Map<string, Size>();
  /** Each level on the way to a place asks for the sizes of all that is below it. */
  readonly #selections = new Map<SelectionNode, Size>();

  constructor(context: ValidationContext) {
    this.#context = context;
  }

  /** The size of all selections in an operation, a field or a fragment. */
  of({ selectionSet }: Selecting): Size {
    return (selectionSet?.selections ?? []).map((selection) => this.#sizeOf(selection)).reduce(merge, NOTHING);
  }

  /** Where an operation, which exceeds a limit, passes it. A limit below 0 is passed by the operation itself. */
  placeOf(operation: ASTNode & Selecting, name: keyof Size, limit: number): Place {
    const names: string[] = [];
    const entered = new Set<string>();
    let node: ASTNode = operation;
    let inside: Selecting | undefined = operation;
    let left = limit;
    while (inside && left >= 0) {
      const passing = this.#passing(inside, name, left);
      if (!passing) break;
      const { selection } = passing;
      node = selection;
      if (selection.kind === Kind.FIELD) names.push((selection.alias ?? selection.name).value);
      left = passing.left - ownSize(selection)[name];
      inside = selection.kind === Kind.FRAGMENT_SPREAD ? this.#enter(selection.name.value, entered) : selection;
    }
    return { node, path: shownPath(names) };
  }

  /** The selection in which what is left of a limit is passed, and what is left before it. */
  #passing({ selectionSet }: Selecting, name: keyof Size, limit: number) {
    let left = limit;
    for (const selection of selectionSet?.selections ?? []) {
      const size = this.#sizeOf(selection)[name];
      if (size > left) return { selection, left };
      if (name !== 'depth') left -= size;
    }
    return undefined;
  }

  /** A fragment that no cycle has led to before. */
  #enter(name: string, entered: Set<string>): Selecting | undefined {
    if (entered.has(name)) return undefined;
    entered.add(name);
    return this.#context.getFragment(name) ?? undefined;
  }

  #sizeOf(selection: SelectionNode): Size {
    const known = this.#selections.get(selection);
    if (known) return known;
    const size = this.#measured(selection);
    this.#selections.set(selection, size);
    return size;
  }

  #measured(selection: SelectionNode): Size {
    const own = ownSize(selection);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return nest(this.#sizeOfFragment(selection.name.value), own);
    const { depth, ...inner } = this.of(selection);
    // graphql-js limits the depth of introspection.
    const isIntrospection = selection.kind === Kind.FIELD && selection.name.value.startsWith('__');
    return nest({ ...inner, depth: isIntrospection ? 0 : depth }, own);
  }

  #sizeOfFragment(name: string): Size {
    const known = this.#fragments.get(name);
    if (known) return known;
    this.#fragments.set(name, NOTHING); // ends a cycle, which another rule refuses
    const fragment = this.#context.getFragment(name);
    const size = fragment ? this.of(fragment) : NOTHING;
    this.#fragments.set(name, size);
    return size;
  }
}

/** The size of a selection without those inside it. */
function ownSize(selection: SelectionNode): Size {
  const directives = selection.directives?.length ?? 0;
  if (selection.kind !== Kind.FIELD) return { ...NOTHING, directives };
  const name = selection.name.value;
  return {
    depth: 1,
    aliases: selection.alias ? 1 : 0,
    directives,
    __schema: name === '__schema' ? 1 : 0,
    __type: name === '__type' ? 1 : 0,
  };
}

/** The size of a selection inside another one. */
function nest(inner: Size, outer: Size): Size {
  return {
    depth: inner.depth + outer.depth,
    aliases: inner.aliases + outer.aliases,
    directives: inner.directives + outer.directives,
    __schema: inner.__schema + outer.__schema,
    __type: inner.__type + outer.__type,
  };
}

/** The size of two selections next to each other. */
function merge(left: Size, right: Size): Size {
  return { ...nest(left, right), depth: Math.max(left.depth, right.depth) };
}

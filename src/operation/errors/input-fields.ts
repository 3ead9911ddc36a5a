import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  type ObjectFieldNode,
  type OperationDefinitionNode,
  type ValueNode,
  visit,
} from 'graphql';
import { errorAt } from './public-error.ts';
import { shortName } from './redacted-messages.ts';

/** An input of the operation: the name of an argument, then names of fields and indexes of lists. */
type InputPath = readonly (string | number)[];

/** A value may stand in very many places: a variable is used again and again. */
const MAX_PLACES = 20;

/**
 * Creates a function that adds `extensions.fields` to an error of graphql-js about a value of the input: the path of the input and
 * the message, in the shape of those of a `ValidationError`. A variable's path is that of the arguments that it is used in. The
 * errors are without the values that they quoted; one that is about no value is returned itself.
 *
 * Messages are read, as graphql-js 16 tells two things in them alone: the path inside a variable, which `getVariableValues` drops, and
 * the name of a field that is missing or unknown, in both kinds of value.
 *
 * @param operation the one that is executed: its variables are those of no other one. Undefined for errors of the whole document
 */
export function inputFields(document: DocumentNode, operation?: OperationDefinitionNode | null) {
  let places: InputPlaces | undefined; // most operations have no such error
  return (error: GraphQLError): GraphQLError => {
    if (error.extensions['fields'] !== undefined) return error;
    const refused = refusedVariable(error) ?? refusedLiteral(error);
    if (!refused) return error;
    const { input, inner, message } = refused;
    places ??= new InputPlaces(document, operation);
    const paths = places.of(input).map((place) => shownPath([...pathOf(place), ...inner]));
    const fields = [...new Set(paths)].map((field) => ({ field, messages: [message] }));
    if (fields.length === 0) return error;
    return errorAt(error.message, { ...error.extensions, fields }, error);
  };
}

/** A node of an argument: its value, or one inside. */
type InputNode = ValueNode | ObjectFieldNode;

/** An input that was refused. */
interface RefusedInput {
  /** A node of the document, or the name of a variable. */
  readonly input: object | string;
  /** The path of the input below that. */
  readonly inner: InputPath;
  readonly message: string;
}

const REFUSED_VARIABLE =
  /^Variable "\$(?<name>\w+)" (?:got an invalid value(?: at "\w+(?<place>(?:\.\w+|\[\d+\])*)")?; (?<reason>[^]+)|of (?:required|non-null) type )/;

function refusedVariable({ message }: GraphQLError): RefusedInput | undefined {
  const { name, place = '', reason } = REFUSED_VARIABLE.exec(message)?.groups ?? {};
  if (name === undefined) return undefined;
  return {
    input: name,
    inner: [...segmentsOf(place), ...namedField(reason)],
    message: reason ?? message,
  };
}

function segmentsOf(place: string): InputPath {
  return Array.from(place.matchAll(/\w+/g), ([segment]) => segment);
}

function refusedLiteral({ message, path, nodes: [refused] = [] }: GraphQLError): RefusedInput | undefined {
  if (refused === undefined) return undefined;
  // A variable's value is refused where it is used, in execution: before, an error at its node is about its type or its name.
  const isInput = LITERAL_KINDS.has(refused.kind) || (refused.kind === Kind.VARIABLE && path !== undefined);
  if (!isInput) return undefined;
  // The name of an unknown field is in the path of its node.
  const inner = refused.kind === Kind.OBJECT ? namedField(message) : [];
  return { input: refused, inner, message };
}

const LITERAL_KINDS: ReadonlySet<string> = new Set([
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
  Kind.LIST,
  Kind.OBJECT,
  Kind.OBJECT_FIELD,
]);

/** The field that a message about an object names, as one that is missing or unknown. */
function namedField(message: string | undefined): InputPath {
  const [, missing] = /^Field "(?:\w+\.)?(\w+)" of required type "/.exec(message ?? '') ?? [];
  const [, unknown] = /^Field "([^]*?)" is not defined by type "/.exec(message ?? '') ?? [];
  const name = missing ?? unknown;
  return name === undefined ? [] : [name];
}

/** Where an input stands: a name or an index, inside another place. */
interface Place {
  readonly outer: Place | undefined;
  readonly segment: string | number;
}

function pathOf(place: Place): InputPath {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at; at = at.outer) path.push(at.segment);
  return path.toReversed();
}

/** The places of all inputs of an operation and the fragments that it reaches, or of a document. They are found by one visit. */
class InputPlaces {
  readonly #ofNodes = new Map<object, Place>();
  readonly #ofVariables = new Map<string, Place[]>();

  constructor({ definitions }: DocumentNode, operation: OperationDefinitionNode | null | undefined) {
    const fragments = new Map<string, FragmentDefinitionNode>();
    for (const definition of definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    const visited = new Set<DefinitionNode>(operation ? [operation] : definitions);
    for (const definition of visited) {
      visit(definition, {
        Directive: () => false,
        Argument: ({ name, value }) => {
          this.#add(value, { outer: undefined, segment: name.value });
          return false;
        },
        FragmentSpread: ({ name }) => {
          const fragment = fragments.get(name.value);
          if (fragment) visited.add(fragment); // it is visited by this loop
        },
      });
    }
  }

  /** At most MAX_PLACES. */
  of(input: object | string): readonly Place[] {
    if (typeof input === 'string') return this.#ofVariables.get(input) ?? [];
    const place = this.#ofNodes.get(input);
    return place ? [place] : [];
  }

  #add(node: InputNode, place: Place): void {
    this.#ofNodes.set(node, place);
    if (node.kind === Kind.VARIABLE) this.#addVariable(node.name.value, place);
    else if (node.kind === Kind.OBJECT_FIELD) this.#add(node.value, place);
    else if (node.kind === Kind.LIST)
      for (const [index, item] of node.values.entries()) this.#add(item, { outer: place, segment: index });
    else if (node.kind === Kind.OBJECT)
      for (const field of node.fields) this.#add(field, { outer: place, segment: field.name.value });
  }

  #addVariable(name: string, place: Place): void {
    const places = this.#ofVariables.get(name);
    if (!places) this.#ofVariables.set(name, [place]);
    else if (places.length < MAX_PLACES) places.push(place);
  }
}

/** Paths of refusals begin below the argument `input`. */
function shownPath(path: InputPath): string {
  const shown = path[0] === 'input' && path.length > 1 ? path.slice(1) : path;
  return shown.map((segment) => shortName(String(segment))).join('.');
}

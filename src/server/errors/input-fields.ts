import { type DocumentNode, type GraphQLError, Kind, type ObjectFieldNode, type ValueNode, visit } from 'graphql';
import { errorAt } from './public-error.ts';

/** An input of the operation: the name of an argument, then names of fields and indexes of lists. */
type InputPath = readonly (string | number)[];

/** A value may stand in very many places: a variable is used again and again. */
const MAX_PLACES = 20;

/**
 * Adds `extensions.fields` to an error of graphql-js about a value of the input: the path of the input and the message, in the
 * shape of those of a `ValidationError`. A variable's path is that of the arguments that it is used in.
 *
 * @param error without the values that it quoted
 * @returns the error itself when it is about no value
 */
export function withInputFields(error: GraphQLError, document: DocumentNode): GraphQLError {
  if (error.extensions['fields'] !== undefined) return error;
  const refused = refusedVariable(error) ?? refusedLiteral(error);
  if (!refused) return error;
  const { isIt, inner, message } = refused;
  const paths = inputPaths(document, isIt).map((path) => shownPath([...path, ...inner]));
  const fields = [...new Set(paths)].map((field) => ({ field, messages: [message] }));
  if (fields.length === 0) return error;
  return errorAt(error.message, { ...error.extensions, fields }, error);
}

/** A node of an argument: its value, or one inside. */
type InputNode = ValueNode | ObjectFieldNode;

/** An input that was refused. */
interface RefusedInput {
  /** Whether a node is the input, or has it inside. */
  readonly isIt: (node: InputNode) => boolean;
  /** The path of the input below such a node. */
  readonly inner: InputPath;
  readonly message: string;
}

const REFUSED_VARIABLE =
  /^Variable "\$(?<name>\w+)" (?:got an invalid value(?: at "\w+(?<place>(?:\.\w+|\[\d+\])*)")?; (?<reason>[^]+)|of (?:required|non-null) type )/;

function refusedVariable({ message }: GraphQLError): RefusedInput | undefined {
  const { name, place = '', reason } = REFUSED_VARIABLE.exec(message)?.groups ?? {};
  if (name === undefined) return undefined;
  return {
    isIt: (node) => node.kind === Kind.VARIABLE && node.name.value === name,
    inner: [...segmentsOf(place), ...namedField(reason)],
    message: reason ?? message,
  };
}

function segmentsOf(place: string): InputPath {
  return Array.from(place.matchAll(/\w+/g), ([segment]) => segment);
}

function refusedLiteral({ message, nodes: [refused] = [] }: GraphQLError): RefusedInput | undefined {
  if (refused === undefined || !isInputNode(refused)) return undefined;
  // The name of an unknown field is in the path of its node.
  const inner = refused.kind === Kind.OBJECT ? namedField(message) : [];
  return { isIt: (node) => node === refused, inner, message };
}

const INPUT_KINDS: ReadonlySet<string> = new Set([
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

function isInputNode(node: { readonly kind: string }): boolean {
  return INPUT_KINDS.has(node.kind);
}

/** The field that a message about an object names, as one that is missing or unknown. */
function namedField(message: string | undefined): InputPath {
  const [, missing] = /^Field "(?:\w+\.)?(\w+)" of required type "/.exec(message ?? '') ?? [];
  const [, unknown] = /^Field "([^]*?)" is not defined by type "/.exec(message ?? '') ?? [];
  const name = missing ?? unknown;
  return name === undefined ? [] : [name];
}

/** The paths of the nodes of a document's arguments that are looked for. */
function inputPaths(document: DocumentNode, isIt: RefusedInput['isIt']): readonly InputPath[] {
  const found: InputPath[] = [];
  const look = (node: InputNode, path: InputPath): void => {
    if (found.length === MAX_PLACES) return;
    if (isIt(node)) found.push(path);
    else if (node.kind === Kind.OBJECT_FIELD) look(node.value, path);
    else if (node.kind === Kind.LIST) for (const [index, item] of node.values.entries()) look(item, [...path, index]);
    else if (node.kind === Kind.OBJECT) for (const field of node.fields) look(field, [...path, field.name.value]);
  };
  visit(document, {
    Directive: () => false,
    Argument: ({ name, value }) => {
      look(value, [name.value]);
      return false;
    },
  });
  return found;
}

/** Paths of refusals begin below the argument `input`. */
function shownPath(path: InputPath): string {
  return (path[0] === 'input' && path.length > 1 ? path.slice(1) : path).join('.');
}

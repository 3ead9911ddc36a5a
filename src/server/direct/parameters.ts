import { isObject, type JsonObject } from '../../http/formats/decode.ts';

/** The parameters of an operation, as GraphQL over HTTP names them. */
export interface GraphqlParameters {
  readonly query: string | null | undefined;
  /** The id of a document, and other forms of it. Only `documents/` reads them. */
  readonly documentId: unknown;
  readonly extensions: JsonObject | null | undefined;
  readonly variables: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName: string | null | undefined;
}

const NAMES: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions', 'documentId']);

/** Reads the parameters of a body. Undefined for a body that is no JSON, or has other parameters: Yoga refuses it. */
export function parametersOf(body: string): GraphqlParameters | undefined {
  const parameters = jsonOrUndefined(body);
  if (!isObject(parameters)) return undefined;
  for (const name in parameters) if (!NAMES.has(name)) return undefined;
  const { query, documentId, variables, operationName, extensions } = parameters;
  if (!isOptional(query, isText) || !isOptional(extensions, isObject)) return undefined;
  if (!isOptional(variables, isObject) || !isOptional(operationName, isText)) return undefined;
  return { query, documentId, extensions, variables, operationName };
}

/** The document that a request sends. Undefined for one that names a document by an id, or has none. */
export function sentDocument({ query, documentId }: GraphqlParameters): string | undefined {
  return documentId === null || documentId === undefined ? (query ?? undefined) : undefined;
}

function isOptional<T>(value: unknown, check: (given: unknown) => given is T): value is T | null | undefined {
  return value === null || value === undefined || check(value);
}

const isText = (value: unknown): value is string => typeof value === 'string';

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

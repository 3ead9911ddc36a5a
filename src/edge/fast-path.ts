import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DocumentNode, type ExecutionArgs, getOperationAST, OperationTypeNode } from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import { isObject, type JsonObject } from '../formats/decode.ts';
import { decodeUtf8 } from '../formats/utf8.ts';
import { COST_HEADER } from '../operation/cost/operation-costs.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { ENDPOINT, type GraphqlServer } from './graphql-server.ts';
import type { WatchedResponse } from './http-server.ts';
import { type Executed, hasParts } from '../execution/executor.ts';
import { runOperation } from '../operation/run-operation.ts';
import { openOperation } from './request.ts';
import { requestBody, type RequestBounds } from './request-body.ts';
import { responseByYoga } from '../operation/responses/plugin.ts';
import { type Body, bodyOf, lengthOf } from '../operation/responses/written-results.ts';
import { acceptedJsonType, type JsonType } from '../operation/accept.ts';
import type { Next } from './steps.ts';

type DirectParts = Pick<
  GatewayParts,
  'upstreams' | 'config' | 'log' | 'headersFor' | 'documents' | 'operations' | 'persisted'
>;

/** A valid document, and the parameters of the operation in it. */
type ValidOperation = Pick<ExecutionArgs, 'document' | 'variableValues' | 'operationName'>;

/**
 * Answers the common request straight from Node's request to Node's response: a POST of a valid operation as JSON, whose
 * response is one JSON document. Yoga's layer of fetch requests would take most of the time of a small operation.
 *
 * Documents are parsed and validated by Yoga's plugins, and operations are run by what runs those of Yoga. All other
 * requests go to Yoga, with the body that was read: each refusal has one implementation.
 *
 * @see docs/decisions/0028-a-direct-way-for-posts.md
 */
export class FastPath {
  readonly #parts: DirectParts;
  readonly #yoga: GraphqlServer;
  readonly #pipeline: ReturnType<GraphqlServer['getEnveloped']>;
  readonly #validDocuments = new WeakSet<DocumentNode>();

  constructor(parts: DirectParts, yoga: GraphqlServer) {
    this.#parts = parts;
    this.#yoga = yoga;
    this.#pipeline = yoga.getEnveloped({});
  }

  /** Answers a request that is a common one, and passes any other one on. A promise where that is decided by its body. */
  async answer(request: IncomingMessage, response: WatchedResponse, next: Next): Promise<void> {
    const type = this.#responseType(request);
    if (!type) return next(request, response);
    const operation = await this.#operation(request);
    if (!operation) return next(request, response);
    const { operations } = this.#parts;
    const contextValue = openOperation(this.#parts, request, response);
    const args = { schema: this.#pipeline.schema, ...operation, contextValue };
    const result = await runOperation(operations, args, request.headers[COST_HEADER] === '1');
    this.#respond(result, type, request, response);
  }

  /** The content type of the response. Undefined for a request that Yoga has to answer, by its request line and headers. */
  #responseType({ method, url, headers }: IncomingMessage): JsonType | undefined {
    if (method !== 'POST' || url !== ENDPOINT || !PLAIN_JSON.has(headers['content-type'])) return undefined;
    if (headers['content-encoding'] !== undefined || headers['access-control-request-headers'] !== undefined)
      return undefined;
    const length = Number(headers['content-length']); // NaN for a body in chunks, which Yoga answers
    if (!(length > 0 && length <= this.#parts.config.MAX_REQUEST_BYTES)) return undefined;
    return acceptedJsonType(headers.accept);
  }

  /** The operation of a request. Undefined for what Yoga has to refuse, or to answer in parts. */
  async #operation(request: IncomingMessage): Promise<ValidOperation | undefined> {
    const parameters = await parametersOf(request, this.#parts.config);
    if (!parameters) return undefined;
    const { persisted } = this.#parts;
    const { documentId, extensions, variables: variableValues, operationName } = parameters;
    const isNamed = (documentId ?? extensions?.['persistedQuery'] ?? undefined) !== undefined;
    const sent = isNamed ? undefined : parameters.query;
    const query = persisted ? persisted.documents.textOf(parameters) : sent;
    const document = typeof query === 'string' ? this.#validDocument(query) : undefined;
    const operation = document && getOperationAST(document, operationName);
    if (!operation || operation.operation === OperationTypeNode.SUBSCRIPTION) return undefined;
    return { document, variableValues, operationName };
  }

  #validDocument(query: string): DocumentNode | undefined {
    const cached = this.#parts.documents.get(query);
    if (cached && this.#validDocuments.has(cached)) return cached;
    const { parse, validate, schema } = this.#pipeline;
    try {
      const document = parse(query);
      if (validate(schema, document).length > 0 || hasParts(document)) return undefined;
      this.#validDocuments.add(document);
      return document;
    } catch {
      return undefined; // Yoga parses it once more, and says why it is refused
    }
  }

  #respond(result: Executed, type: JsonType, { headers }: IncomingMessage, response: ServerResponse): void {
    // The caller has left, or at the end of the gateway the request was answered with 503.
    if (response.destroyed || response.writableEnded) return;
    if (isAsyncIterable(result)) throw new Error('A document without directives of parts has a response in parts.');
    const common = this.#parts.headersFor(headers);
    if (!result.errors) {
      return send(response, 200, ['content-type', CONTENT_TYPES[type], ...common], bodyOf(result));
    }
    const { status, headers: ofYoga, body } = responseByYoga(result, this.#yoga.fetchAPI, type);
    send(response, status, [...ofYoga.flat(), ...common], body);
  }
}

const CONTENT_TYPES: Readonly<Record<JsonType, string>> = {
  'application/json': 'application/json; charset=utf-8',
  'application/graphql-response+json': 'application/graphql-response+json; charset=utf-8',
};

const PLAIN_JSON: ReadonlySet<string | undefined> = new Set(['application/json', 'application/json; charset=utf-8']);

/** Sends a response. Its headers are a flat [name, value, …] array: Node takes three times as long for an object. */
function send(response: ServerResponse, status: number, headers: string[], body: Body): void {
  const isText = typeof body === 'string';
  headers.push('content-length', String(isText ? Buffer.byteLength(body) : lengthOf(body)));
  response.writeHead(status, headers);
  if (isText) return void response.end(body);
  for (const piece of body) response.write(piece);
  response.end();
}

/** The parameters of an operation, as GraphQL over HTTP names them. */
interface GraphqlParameters {
  readonly query: string | null | undefined;
  /** The id of a document. Another one may be in `extensions.persistedQuery`. */
  readonly documentId: unknown;
  readonly extensions: JsonObject | null | undefined;
  readonly variables: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName: string | null | undefined;
}

const NAMES: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions', 'documentId']);

/** Reads the parameters of a request. Undefined where the body is no JSON within its bounds, or has other parameters. */
async function parametersOf(request: IncomingMessage, bounds: RequestBounds): Promise<GraphqlParameters | undefined> {
  let parameters: unknown;
  try {
    const text = decodeUtf8(await requestBody(request, bounds));
    parameters = text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined; // Yoga reads it once more, and says why it is refused
  }
  if (!isObject(parameters)) return undefined;
  for (const name in parameters) if (!NAMES.has(name)) return undefined;
  const { query, documentId, variables, operationName, extensions } = parameters;
  if (!isOptional(query, isText) || !isOptional(extensions, isObject)) return undefined;
  if (!isOptional(variables, isObject) || !isOptional(operationName, isText)) return undefined;
  return { query, documentId, extensions, variables, operationName };
}

function isOptional<T>(value: unknown, check: (given: unknown) => given is T): value is T | null | undefined {
  return value === null || value === undefined || check(value);
}

const isText = (value: unknown): value is string => typeof value === 'string';

import { readFileSync } from 'node:fs';
import {
  type DocumentNode,
  getOperationAST,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import { type Increment, withIncrement } from '../../test/support/parts.ts';
import { type CallerRequest, credentials, type Operation } from './callers.ts';
import { endpointOf, fits, readings } from './endpoints.ts';
import type { Call, Observation } from './house.ts';
import { ResultShape, textsIn } from './result-shape.ts';
import { spellingIn } from './spellings.ts';
import type { Response } from './wire.ts';

/** A GraphQL response, or a part of one. */
interface Result {
  readonly data?: unknown;
  readonly errors?: unknown;
  readonly extensions?: unknown;
  readonly incremental?: readonly Increment[];
  readonly hasNext?: boolean;
}

/** The codes of docs/errors.md, which the gateway answers with. The first column of its table. */
const CODES: ReadonlySet<string> = new Set(
  Array.from(readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([A-Z_]+)`/gm), ([, code = '']) => code),
);

const inherited = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const membersAtStart = inherited.map((prototype) => Reflect.ownKeys(prototype).length);

/** @returns the rules that an observation breaks, in words; none when all is well */
export function brokenRules(
  schema: GraphQLSchema,
  operation: Operation,
  request: CallerRequest,
  seen: Observation,
): string[] {
  const { response, calls, logs, faults } = seen;
  return [
    ...faults.map(
      (fault) => `An unhandled rejection or exception: ${fault instanceof Error ? fault.stack : String(fault)}`,
    ),
    ...logs.filter((line) => !/^\{"level":[1-4]0,/.test(line)).map((line) => `Logged as an error: ${line}`),
    ...logs.flatMap((line) => secretsIn('A log line', [line, ...textsIn(JSON.parse(line))])),
    ...calls.flatMap((call) => brokenByCall(call, operation, request)),
    ...inherited.flatMap((prototype, index) =>
      Reflect.ownKeys(prototype).length === membersAtStart[index] ? [] : ['A prototype has a new member.'],
    ),
    ...(typeof response === 'object'
      ? brokenByResponse(schema, operation, request, response)
      : [response ?? 'The connection was closed without a response.']),
  ];
}

function secretsIn(place: string, texts: readonly string[]): string[] {
  return Object.entries(credentials).flatMap(([name, secret]: [string, string]) => {
    const found = texts.map((text) => spellingIn(text, secret)).find((spelling) => spelling !== undefined);
    return found === undefined ? [] : [`${place} holds the credential ${name}: ${found}`];
  });
}

function brokenByCall(call: Call, { query }: Operation, { line }: CallerRequest): string[] {
  const { api, method, url, endpoint } = call;
  const [path = ''] = url.split('?');
  const name = `The call ${method} ${url} of the ${api} API`;
  if (!endpoint) return [`${name} is none of the endpoint table.`];
  const { template, isRead } = endpoint;
  return [
    ...(readings(path).every((reading) => staysIn(template, reading, call)) ? [] : [`${name} leaves ${template}.`]),
    ...(isRead || (isMutation(query) && line.startsWith('POST')) ? [] : [`${name} changes something for a query.`]),
    ...credentialsAstray(call).map((credential) => `${name} carries the credential ${credential}.`),
  ];
}

/** A category's name may hold slashes, but must not lead to another endpoint. */
function staysIn(template: string, reading: string, { api, method }: Call): boolean {
  if (template !== '/:category_name') return fits(reading, template);
  const reached = endpointOf(api, method, reading);
  return reached === undefined || reached.template === template;
}

function credentialsAstray({ api, endpoint, method, url, rawHeaders, body }: Call): string[] {
  const own = endpoint?.isPublic
    ? ['cookie']
    : { account: ['bearer'], flex: ['bearer'], crm: ['crm'], forum: ['forum'] }[api];
  const text = [method, url, ...rawHeaders, body, decoded(url), decoded(body)].join('\n');
  return Object.entries(credentials).flatMap(([name, secret]: [string, string]) =>
    !own.includes(name) && text.includes(secret) ? [name] : [],
  );
}

function decoded(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function isMutation(query: string): boolean {
  return /\bmutation\b/.test(query);
}

function brokenByResponse(
  schema: GraphQLSchema,
  operation: Operation,
  request: CallerRequest,
  { status, headers, body }: Response,
): string[] {
  const header = (name: string) => headers.find(([known]) => known === name)?.[1];
  const told = headers.filter(([name]) => name !== 'set-cookie').map(([name, value]) => `${name}: ${value}`);
  const broken = secretsIn('A header of the response', told);
  const type = header('content-type') ?? '';
  if (body === '') return [...broken, ...(mayBeEmpty(status, request) ? [] : [`The response of ${status} is empty.`])];
  if (type.startsWith('text/html') && /^(GET|HEAD) /.test(request.line))
    return [...broken, ...secretsIn('The page', [body])];
  if (/^\{"status":"[a-z ]+"[,}]/.test(body) && /^GET \/(health|ready)/.test(request.line))
    return [...broken, ...secretsIn('The state', [body])];
  if (!/^private, no-store$/.test(header('cache-control') ?? '') && status !== 404)
    broken.push('The response may be stored.');
  try {
    return [...broken, ...brokenByResult(schema, operation, request, merged(resultsOf(type, body)))];
  } catch (error) {
    return [...broken, `The response of ${status} is no GraphQL response (${String(error)}): ${body.slice(0, 300)}`];
  }
}

/** Node itself answers what is no HTTP, with a status alone. */
function mayBeEmpty(status: number, { line }: CallerRequest): boolean {
  return [400, 408, 413, 417, 431, 501].includes(status) || /^(HEAD|OPTIONS) /.test(line);
}

/** The results in a response: one, or those of its parts. */
function resultsOf(type: string, body: string): Result[] {
  if (/^application\/(graphql-response\+)?json/.test(type)) return [JSON.parse(body)];
  if (type.startsWith('text/event-stream')) {
    const events = body.split('\n\n').filter((event) => event.includes('event: next'));
    return events.map((event) => JSON.parse(/^data: ?([^\r\n]*)/m.exec(event)?.[1] ?? ''));
  }
  const [, boundary] = /^multipart\/mixed; *boundary="(.+)"$/.exec(type) ?? [];
  if (boundary === undefined) throw new Error(`its type is ${type}`);
  const pieces = body.split(`\r\n--${boundary}`);
  if (pieces.at(-1)?.trim() !== '--') throw new Error('its last part is missing');
  return pieces.flatMap((piece) => {
    const [, content] = piece.split('\r\n\r\n');
    return content === undefined ? [] : [JSON.parse(content)];
  });
}

/** One result of all parts. */
function merged([first, ...parts]: readonly Result[]): Result & { readonly all: readonly Result[] } {
  if (!first) throw new Error('it has no part');
  const increments = parts.flatMap(({ incremental = [] }) => incremental);
  const all = [first, ...parts, ...increments];
  if (first.data === undefined || first.data === null) return { ...first, all };
  return { ...first, data: increments.reduce<unknown>(withIncrement, first.data), all };
}

function brokenByResult(
  schema: GraphQLSchema,
  { query }: Operation,
  { line }: CallerRequest,
  { data, all }: ReturnType<typeof merged>,
): string[] {
  const broken = all.flatMap(({ errors, extensions }) => [
    ...(errors === undefined ? [] : brokenByErrors(errors)),
    ...secretsIn('The extensions', textsIn(extensions)),
  ]);
  const errors = all.flatMap((part) => (Array.isArray(part.errors) ? part.errors : []));
  if (data === undefined || data === null) {
    return errors.length > 0 ? broken : [...broken, 'The response has neither data nor errors.'];
  }
  const document = documentOf(query);
  const operation = document && getOperationAST(document);
  if (!document || !operation) return [...broken, 'There is data for a document that has no operation.'];
  if (validate(schema, document).length > 0) broken.push('There is data for a document that is not valid.');
  if (line.startsWith('GET') && operation.operation !== OperationTypeNode.QUERY) broken.push('A GET was a mutation.');
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const shape = new ResultShape(schema, new Map(fragments.map((fragment) => [fragment.name.value, fragment])));
  shape.check(operation, data);
  return [...broken, ...shape.differences, ...secretsIn('An error in the data', shape.errorTexts)];
}

function brokenByErrors(errors: unknown): string[] {
  if (!Array.isArray(errors) || errors.length === 0) return ['`errors` is no list of errors.'];
  return errors.flatMap((error: unknown) => {
    const text = JSON.stringify(error);
    const { message, extensions }: { message?: unknown; extensions?: { code?: unknown } } = Object(error);
    const code = extensions?.code;
    return [
      ...(typeof message === 'string' && message !== '' ? [] : [`An error has no message: ${text}`]),
      ...(typeof code === 'string' && CODES.has(code) ? [] : [`An error has no documented code: ${text}`]),
      ...(code === 'INTERNAL_SERVER_ERROR' ? [`An internal error: ${text}`] : []),
      ...(text.length > 20_000 ? [`An error of ${text.length} characters: ${text.slice(0, 200)}`] : []),
      ...(/node_modules|\.(ts|js|mjs):\d|127\.0\.0\.1/.test(text) ? [`An error shows the inside: ${text}`] : []),
      ...secretsIn('An error', textsIn(error)),
    ];
  });
}

function documentOf(query: string): DocumentNode | undefined {
  try {
    return parse(query);
  } catch {
    return undefined;
  }
}

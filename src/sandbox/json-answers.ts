import {
  type AnswerMode,
  answerTransform,
  type Content,
  type RequestedRoute,
  type ResponseTransform,
} from './answers.ts';
import { parseJson } from './json-text.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import { type HttpResponse, json } from './responses.ts';

/** The documented form of one kind of record. */
export interface RecordKind {
  /** Null documents no keys: the record keeps all of its own, and gets no unknown one. */
  readonly keys: readonly string[] | null;
  /** Keys whose values are records themselves, or lists of them. */
  readonly nested?: ReadonlyMap<string, RecordKind>;
  /** Keys whose values are the caller's own JSON. They stay as they are. */
  readonly opaque?: readonly string[];
  /** The key that holds the record in a request; its plural ends in s. A record without one is never wrapped. */
  readonly wrapper?: string;
}

/** The documented form of an API's JSON answers. */
interface JsonAnswers {
  /** The kind of record that a path answers, by the path of the route without its query. */
  readonly kinds: ReadonlyMap<string, RecordKind>;
  /** Default: every method but GET. */
  readonly isWrite?: (route: RequestedRoute) => boolean;
}

/** Creates the transform of the responses of a JSON API for a mode. */
export function jsonAnswers(mode: AnswerMode, { kinds, isWrite = isNotGet }: JsonAnswers): ResponseTransform {
  const kindOf = ({ path }: RequestedRoute) => kinds.get(path.split('?')[0] ?? '');
  let lists = 0;
  return answerTransform(mode, {
    isWrite,
    lean: (route, response) => {
      const kind = kindOf(route);
      return kind && response.body !== '' ? json(lean(kind, bodyOf(response))) : response;
    },
    ok: json('ok'),
    status: json({ status: 'ok' }),
    wrapped: (route, response) => {
      // Not documented (A233): that a record, or a list, has its key around it.
      const body = bodyOf(response);
      const { wrapper } = kindOf(route) ?? {};
      if (wrapper === undefined || route.method === 'DELETE') return undefined;
      if (isJsonObject(body)) return json({ [wrapper]: body });
      if (!Array.isArray(body)) return undefined;
      return json(lists++ % 2 === 0 ? { [`${wrapper}s`]: body } : body.map((row) => ({ [wrapper]: row })));
    },
    refused,
  });
}

function isNotGet({ method }: RequestedRoute): boolean {
  return method !== 'GET';
}

function bodyOf({ body }: HttpResponse): unknown {
  return body === '' ? null : parseJson(body);
}

/** A response body of this kind, or a list of them, in the mode `lean`. */
function lean(kind: RecordKind, body: unknown): unknown {
  let emptyValues = 0;
  const leanValue = (kind: RecordKind, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((member) => leanValue(kind, member));
    return isJsonObject(value) ? leanRecord(kind, value) : value;
  };
  const leanRecord = ({ keys, nested, opaque = [] }: RecordKind, record: JsonObject): JsonObject => {
    const members = Object.entries(record).flatMap(([key, value]): [string, unknown][] => {
      if (keys === null) return [[key, isIdKey(key) ? toText(value) : value]];
      if (!keys.includes(key)) return [];
      if (opaque.includes(key) && value !== null) return [[key, value]];
      if (isEmpty(value)) return emptyValues++ % 2 === 0 ? [[key, null]] : [];
      const inner = nested?.get(key);
      if (inner) return [[key, leanValue(inner, value)]];
      return [[key, isIdKey(key) ? toText(value) : value]];
    });
    return Object.fromEntries([...(keys === null ? [] : [unknownMember]), ...members.toReversed()]);
  };
  return leanValue(kind, body);
}

const unknownMember: readonly [string, unknown] = ['x_unknown', { since: 'a later version' }];

function isIdKey(key: string): boolean {
  return key === 'id' || key.endsWith('_id');
}

function toText(id: unknown): unknown {
  return typeof id === 'number' ? String(id) : id;
}

/** Whether a value is null, or an empty text, list or object. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * A refusal for the status 200: `{"status":"error","message":…}`, with the messages by field where there are any. Every
 * second one that has such messages is `{"errors":{…}}` alone.
 */
function refused(response: HttpResponse, count: number): Content {
  const body = bodyOf(response);
  const { error, errors } = isJsonObject(body) ? body : {};
  if (!isJsonObject(errors)) return json({ status: 'error', message: String(error) });
  if (count % 2 === 1) return json({ errors });
  const message = Object.entries(errors)
    .map(([field, messages]) => `${field} ${[messages].flat().join(', ')}`)
    .join('; ');
  return json({ status: 'error', message, errors });
}

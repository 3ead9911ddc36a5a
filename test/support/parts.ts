/** A part of an answer, or the whole of one. */
export interface Part {
  readonly data?: unknown;
  readonly errors?: readonly PartError[];
  readonly hasNext?: boolean;
  readonly incremental?: readonly Increment[];
}

/** The content of a part: a deferred fragment (`data`) or rows of a streamed list (`items`). */
export interface Increment {
  readonly path: readonly (string | number)[];
  readonly label?: string;
  readonly data?: unknown;
  readonly items?: readonly unknown[];
  readonly errors?: readonly PartError[];
}

interface PartError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

export interface Asked {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Asks for an answer in parts. */
export async function ask(url: string, query: string, { variables, headers, signal }: Asked = {}): Promise<Response> {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      accept: 'multipart/mixed, application/json',
      'content-type': 'application/json',
      authorization: 'Bearer token',
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
    ...(signal && { signal }),
  });
}

/** @yields the parts of a `multipart/mixed` answer, each as soon as it is there */
export async function* partsOf(response: Response): AsyncGenerator<Part, void> {
  const boundary = /^multipart\/mixed; *boundary="(.+)"$/.exec(response.headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined || !response.body) throw new Error('The answer has no parts.');
  const delimiter = `\r\n--${boundary}`;
  let unread = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const pieces = `${unread}${text}`.split(delimiter);
    unread = pieces.pop() ?? '';
    for (const piece of pieces) {
      const [head = '', body] = piece.split('\r\n\r\n');
      if (body === undefined) continue; // what stands before the first part
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1]);
      if (length !== Buffer.byteLength(body)) throw new Error('The length of a part is a lie.');
      yield JSON.parse(body);
    }
  }
  if (unread !== '--\r\n') throw new Error('The answer was cut off.');
}

/** @yields the results of an event stream, each as soon as it is there */
export async function* eventsOf(response: Response): AsyncGenerator<Part, void> {
  if (response.headers.get('content-type') !== 'text/event-stream' || !response.body) throw new Error('No events.');
  let unread = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = `${unread}${text}`.split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) {
      const [, data] = /^event: next\ndata: (.+)$/.exec(event) ?? [];
      if (data !== undefined) yield JSON.parse(data);
    }
  }
}

/** The next part, where there has to be one. */
export async function next(parts: AsyncGenerator<Part, void>): Promise<Part> {
  const { value } = await parts.next();
  if (!value) throw new Error('There is no further part.');
  return value;
}

/** All that the parts bring, in the order in which it came. */
export async function rest(parts: AsyncGenerator<Part, void>): Promise<Increment[]> {
  const increments: Increment[] = [];
  for await (const part of parts) increments.push(...(part.incremental ?? []));
  return increments;
}

/** The parts that are left, as they came. */
export async function left(parts: AsyncGenerator<Part, void>): Promise<Part[]> {
  const all: Part[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

/** The data of all parts, put where their paths say. */
export async function merged(parts: AsyncGenerator<Part, void>): Promise<unknown> {
  const { data } = await next(parts);
  return (await rest(parts)).reduce(withIncrement, data);
}

/** Data, and what a later part brings to it. */
export function withIncrement(data: unknown, { path, items, data: fields }: Increment): unknown {
  return (items ?? [fields ?? {}]).reduce((whole: unknown, value) => put(whole, path, value), data);
}

function put(data: unknown, [key, ...path]: Increment['path'], value: unknown): unknown {
  if (key === undefined) return combined(data, value);
  const into = Array.isArray(data) ? [...data] : { ...Object(data) };
  return Object.assign(into, { [key]: put(Reflect.get(into, key), path, value) });
}

function combined(one: unknown, other: unknown): unknown {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return other;
  const entries = Object.entries(other).map(([key, value]) => [key, combined(Reflect.get(one, key), value)]);
  return Object.assign(Array.isArray(one) ? [...one] : { ...one }, Object.fromEntries(entries));
}

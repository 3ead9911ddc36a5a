/** The types of a response that is one JSON document. */
export type JsonType = 'application/json' | 'application/graphql-response+json';

const JSON_TYPES: readonly JsonType[] = ['application/json', 'application/graphql-response+json'];
const PART_TYPES: readonly string[] = ['multipart/mixed', 'text/event-stream'];

/** An entry of such a header. */
interface Entry {
  /** A type or a range of types, in lower case. */
  readonly range: string;
  readonly parameters: readonly string[];
}

/** Reads an `Accept` header, or an `Accept-Encoding` header. A quoted value is the same without its quotes (RFC 9110, 5.6.6). */
function entriesOf(accept: string): readonly Entry[] {
  const entries = accept.toLowerCase().replaceAll(/[\s"]/g, '').split(',');
  return entries.map((entry) => {
    const [range = '', ...parameters] = entry.split(';');
    return { range, parameters };
  });
}

function isUtf8({ parameters }: Entry): boolean {
  const charset = parameters.find((parameter) => parameter.includes('charset='));
  return charset === undefined || charset === 'charset=utf-8';
}

/** The ranges that include a type, the most specific one first. */
function rangesOf(type: string): readonly string[] {
  const [main = '', sub = ''] = type.split('/');
  return [type, `${main}/*`, `*/${sub}`, '*/*'];
}

/** How much the entries of a header want a type, and at which of them. The most specific entry decides (RFC 9110, 12.5.1). */
function wish<Type extends string>(type: Type, entries: readonly Entry[]) {
  for (const range of rangesOf(type)) {
    const position = entries.findIndex((entry) => entry.range === range && isUtf8(entry));
    if (position !== -1) return { type, position, quality: qualityOf(entries[position]) };
  }
  return { type, position: -1, quality: 0 };
}

/** The JSON type that the `Accept` header wants most: of two, the first one that it names. Undefined when it accepts none. */
export function acceptedJsonType(accept: string | undefined): JsonType | undefined {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json')
    return 'application/json';
  const entries = entriesOf(accept);
  const wishes = JSON_TYPES.map((type) => wish(type, entries)).filter(({ quality }) => quality > 0);
  return wishes.toSorted((one, other) => other.quality - one.quality || one.position - other.position)[0]?.type;
}

/** Whether the `Accept` header names a type that the gateway can answer with. Yoga looks for one when the operation has run. */
export function acceptsResponse(accept = ''): boolean {
  if (accept === '') return true;
  const entries = entriesOf(accept);
  return [...JSON_TYPES, ...PART_TYPES].some((type) => wish(type, entries).quality > 0);
}

/**
 * The first of some encodings that an `Accept-Encoding` header accepts, and does not like less than the plain text. Undefined for none.
 */
export function acceptedEncoding<Encoding extends string>(
  header: string,
  offered: readonly Encoding[],
): Encoding | undefined {
  const entries = entriesOf(header);
  const find = (name: string) => entries.find(({ range }) => range === name);
  const plain = qualityOf(find('identity'));
  return offered.find((encoding) => {
    const quality = qualityOf(find(encoding) ?? find('*'));
    return quality > 0 && quality >= plain;
  });
}

/** 0 for an entry that is not there, and for a quality that is no number. */
function qualityOf(entry: Entry | undefined): number {
  if (!entry) return 0;
  const quality = entry.parameters.find((parameter) => parameter.startsWith('q='));
  return quality === undefined ? 1 : Number(quality.slice('q='.length)) || 0;
}

/**
 * Matches a parameter that excludes a type: `q=0`, a charset other than UTF-8, or another format of parts than that of
 * 2022, such as Apollo Client's `incrementalSpec=v0.2` or `subscriptionSpec`.
 */
const EXCLUDING_PARAMETER = /^(q=0(\.0*)?|charset=(?!utf-8$).*|(?!deferspec=20220824$)\w+spec=.*)$/;

/** Whether the `Accept` header names a type with parts. A wildcard does not count: callers that expect JSON send one. */
export function acceptsParts(accept: string): boolean {
  return entriesOf(accept).some(
    ({ range, parameters }) =>
      PART_TYPES.includes(range) && !parameters.some((parameter) => EXCLUDING_PARAMETER.test(parameter)),
  );
}

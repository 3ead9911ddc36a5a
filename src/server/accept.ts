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

/** Reads an `Accept` header, or an `Accept-Encoding` header. */
function entriesOf(accept: string): readonly Entry[] {
  const entries = accept.toLowerCase().replaceAll(/\s/g, '').split(',');
  return entries.map((entry) => {
    const [range = '', ...parameters] = entry.split(';');
    return { range, parameters };
  });
}

function isUtf8({ parameters }: Entry): boolean {
  const charset = parameters.find((parameter) => parameter.includes('charset='));
  return charset === undefined || charset === 'charset=utf-8';
}

function includes({ range }: Entry, type: string): boolean {
  const [main, sub] = range.split('/');
  const [typeMain, typeSub] = type.split('/');
  return (main === '*' || main === typeMain) && (sub === '*' || sub === typeSub);
}

/**
 * The JSON type that the `Accept` header prefers: the first one that it names, as Yoga chooses it. Undefined when it names
 * none, or another charset than UTF-8.
 */
export function acceptedJsonType(accept: string | undefined): JsonType | undefined {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json')
    return 'application/json';
  for (const entry of entriesOf(accept)) {
    const type = isUtf8(entry) ? JSON_TYPES.find((json) => includes(entry, json)) : undefined;
    if (type) return type;
  }
  return undefined;
}

/**
 * Whether the `Accept` header names a type that the gateway can answer with, read as Yoga reads it. Yoga itself looks for one
 * when the operation has run.
 */
export function acceptsResponse(accept = ''): boolean {
  if (accept === '') return true;
  const types = [...JSON_TYPES, ...PART_TYPES];
  return entriesOf(accept).some((entry) => isUtf8(entry) && types.some((type) => includes(entry, type)));
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

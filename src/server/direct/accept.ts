/** The types of a response that is one JSON document. */
export type JsonType = 'application/json' | 'application/graphql-response+json';

/**
 * The JSON type that the `Accept` header prefers: the first one that it names, as Yoga chooses it. Undefined when it names
 * none, or another charset than UTF-8.
 */
export function acceptedJsonType(accept: string | undefined): JsonType | undefined {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json')
    return 'application/json';
  for (const entry of accept.toLowerCase().replaceAll(/\s/g, '').split(',')) {
    const [type, ...parameters] = entry.split(';');
    const charset = parameters.find((parameter) => parameter.includes('charset=')) ?? 'charset=utf-8';
    if (charset !== 'charset=utf-8') continue;
    if (type === 'application/graphql-response+json') return type;
    if (type === 'application/json' || type === 'application/*' || type === '*/*' || type === '*/json')
      return 'application/json';
    if (type === '*/graphql-response+json') return 'application/graphql-response+json';
  }
  return undefined;
}

/** The types of the responses of `/graphql`, of which two are responses in parts. */
const RESPONSE_TYPES = [
  'application/json',
  'application/graphql-response+json',
  'multipart/mixed',
  'text/event-stream',
];

/**
 * Whether the `Accept` header names a type that the gateway can answer with, read as Yoga reads it. Yoga itself looks for one
 * when the operation has run.
 */
export function acceptsResponse(accept = ''): boolean {
  if (accept === '') return true;
  const entries = accept.toLowerCase().replaceAll(/\s/g, '').split(',');
  return entries.some((entry) => {
    const [range = '', ...parameters] = entry.split(';');
    const charset = parameters.find((parameter) => parameter.includes('charset=')) ?? 'charset=utf-8';
    const [main, sub] = range.split('/');
    return charset === 'charset=utf-8' && RESPONSE_TYPES.some((type) => fits(type, main, sub));
  });
}

function fits(type: string, main: string | undefined, sub: string | undefined): boolean {
  const [typeMain, typeSub] = type.split('/');
  return (main === '*' || main === typeMain) && (sub === '*' || sub === typeSub);
}

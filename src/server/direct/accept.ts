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

import { REFUSAL } from './support.ts';

/** A mutation with its arguments, and the selection of its payload. */
export function written(field: string, args: string, type: string, selection: string): string {
  return `mutation { ${field}(${args}) { ${REFUSAL} ... on ${type} { ${selection} } } }`;
}

/** A bulk mutation. */
export function bulk(field: string, args: string, type: string, selection: string): string {
  return `mutation { ${field}(${args}) { ${REFUSAL} ... on NotAttempted { message } ... on ${type} { ${selection} } } }`;
}

import { lost, MEMBER, REFUSAL, type Step } from './support.ts';

/** A mutation with its arguments, and the selection of its payload. */
export function written(field: string, args: string, type: string, selection: string): string {
  return `mutation { ${field}(${args}) { ${REFUSAL} ... on ${type} { ${selection} } } }`;
}

/** A bulk mutation. */
export function bulk(field: string, args: string, type: string, selection: string): string {
  return `mutation { ${field}(${args}) { ${REFUSAL} ... on NotAttempted { message } ... on ${type} { ${selection} } } }`;
}

/** A creation that selects the id, which only the response to it tells. */
export function creation(field: string, args: string, type: string, selection: string): Step {
  const unread = { data: { [field]: null }, errors: [lost(`${field}.id`)] };
  return { query: written(field, args, type, selection), calls: 1, differs: { unread } };
}

/** A change of a record, which is read where the response does not show it. */
export function change(field: string, args: string, type: string, selection: string, calls = 1): Step {
  return { query: written(field, args, type, selection), calls, differs: { unread: { calls: calls + 1 } } };
}

function refusal(field: string, args: string, type: string): Step {
  const given = args === '' ? '' : `(${args})`;
  return { query: `mutation { ${field}${given} { ${REFUSAL} } }`, calls: 1, refused: [type] };
}

/** A mutation of a record that is missing. */
export function missing(field: string, args: string): Step {
  return refusal(field, args, 'NotFoundError');
}

/** A mutation with input that upstream refuses. `told` is the message in the mode in which it differs. */
export function invalid(field: string, args: string, told?: string): Step {
  const step = refusal(field, args, 'ValidationError');
  if (told === undefined) return step;
  return { ...step, differs: { 'bare:refused-200': { data: { [`${field}.message`]: told } } } };
}

/** A mutation without the permission. A refusal with the status 200 cannot be told from one of the input. */
export function forbidden(field: string, args: string): Step {
  const payload = { __typename: 'ValidationError', message: 'forbidden', fields: [] };
  const data = Object.fromEntries(Object.entries(payload).map(([name, value]) => [`${field}.${name}`, value]));
  return { ...refusal(field, args, 'ForbiddenError'), token: MEMBER, differs: { 'bare:refused-200': { data } } };
}

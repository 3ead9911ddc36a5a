// Tells the outcomes of mutations apart. Run it beside `npm start`: node examples/outcomes.mjs [endpoint] [token]
const [endpoint = 'http://127.0.0.1:4000/graphql', token = 'demo-admin'] = process.argv.slice(2);

const refusals = new Set(['ValidationError', 'ForbiddenError', 'NotFoundError', 'ConflictError']);

/**
 * The outcome of one field of a mutation that selects `__typename`.
 *
 * @param answer the response; undefined when there was none
 * @param field the name of the field in the response, its alias if it has one
 * @returns {{ outcome: 'APPLIED' | 'REFUSED' | 'UNKNOWN', payload: object | null, errors: readonly object[] }}
 *   `errors` are those of this field: next to an APPLIED payload they tell which of its fields could not be read
 */
export function outcomeOf(answer, field) {
  if (!answer) return { outcome: 'UNKNOWN', payload: null, errors: [] };
  const payload = answer.data?.[field] ?? null;
  const errors = (answer.errors ?? []).filter(({ path }) => !path || path[0] === field);
  if (payload) return { outcome: refusals.has(payload.__typename) ? 'REFUSED' : 'APPLIED', payload, errors };
  const told = errors.map(({ extensions }) => extensions.outcome);
  return { outcome: ['UNKNOWN', 'APPLIED'].find((outcome) => told.includes(outcome)) ?? 'REFUSED', payload, errors };
}

async function send(query) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ query }) }).catch(
    () => null,
  );
  return response ? response.json().catch(() => undefined) : undefined;
}

const refusal = `... on MutationError { message } ... on ValidationError { fields { field messages } }`;
const answer = await send(`mutation {
  created: createClient(input: { name: "Outcomes" }) { __typename ... on Client { name note } ${refusal} }
  refused: createClient(input: { name: "" }) { __typename ${refusal} }
  missing: deleteClient(id: "Client:999999999") { __typename ${refusal} }
}`);

for (const field of ['created', 'refused', 'missing']) {
  const { outcome, payload, errors } = outcomeOf(answer, field);
  console.log(`${field}: ${outcome}`, payload?.message ?? payload?.name ?? '', ...errors.map(({ message }) => message));
}

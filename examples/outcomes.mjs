// Tells the outcomes of mutations apart, without a client library. Run it beside `npm start`: node examples/outcomes.mjs [endpoint] [token]
import { outcomeOf } from '../kits/dist/outcome.js'; // in an app: 'trivium-kits/outcome'

const [endpoint = 'http://127.0.0.1:4000/graphql', token = 'demo-admin'] = process.argv.slice(2);

async function send(query) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return response.json();
}

const refusal = `... on MutationError { message } ... on ValidationError { fields { field messages } }`;
const answer = await send(`mutation {
  created: createClient(input: { name: "Outcomes" }) { __typename ... on Client { name note } ${refusal} }
  refused: createClient(input: { name: "" }) { __typename ${refusal} }
  missing: deleteClient(id: "Client:999999999") { __typename ${refusal} }
}`).catch((error) => ({ error })); // no answer, or one that is no JSON

for (const field of ['created', 'refused', 'missing']) {
  const write = outcomeOf(answer, field);
  console.log(`${field}: ${write.outcome}`, write.outcome === 'APPLIED' ? (write.record?.name ?? '') : write.message);
}

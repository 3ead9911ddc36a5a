import { cacheExchange, Client, fetchExchange, gql } from 'urql';

const client = new Client({
  url: 'http://127.0.0.1:4000/graphql',
  preferGetMethod: false,
  fetchOptions: { headers: { authorization: 'Bearer demo-admin' } },
  exchanges: [cacheExchange, fetchExchange],
});
const { data, error } = await client.query(gql('{ clients(first: 3) { nodes { id name } } }'), {});
console.log(error ?? data.clients.nodes);

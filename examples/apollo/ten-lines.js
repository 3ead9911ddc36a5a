import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';

const client = new ApolloClient({
  link: new HttpLink({
    uri: 'http://127.0.0.1:4000/graphql',
    headers: { authorization: 'Bearer demo-admin' },
  }),
  cache: new InMemoryCache(),
});
const query = gql('{ clients(first: 3) { totalCount edges { node { id name } } } }');
const { data } = await client.query({ query });
console.log(data.clients);

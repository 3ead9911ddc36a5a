// Apollo Server with a REST data source for each API and request, as its documentation advises.
import { readFileSync } from 'node:fs';
import { RESTDataSource } from '@apollo/datasource-rest';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { flexData, forumPosts } from './forum.mjs';

const typeDefs = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8');

class Account extends RESTDataSource {
  baseURL = process.env.UPSTREAM;
  willSendRequest(_path, request) {
    request.headers.authorization = 'Bearer tok';
  }
  apiTokens = () => this.get('account/api_tokens.json');
  dashboards = () => this.get('toolkit/dashboards.json');
  flexSearch = ({ db, q, limit }) =>
    this.get(`flex/dbs/${encodeURIComponent(db)}/search.json`, { params: { q, limit } });
}

class Crm extends RESTDataSource {
  baseURL = process.env.UPSTREAM;
  options = { params: { api_token: 'tok' } };
  clients = () => this.get('app/clients.json', this.options);
  client = (id) => this.get(`app/clients/${encodeURIComponent(id)}.json`, this.options);
  contact = (id) => this.get(`app/contacts/${encodeURIComponent(id)}.json`, this.options);
  posts = () => this.get('app.json', this.options);
  deals = () => this.get('app/deals.json', this.options);
  createClient = (client) => this.post('app/clients.json', { body: { api_token: 'tok', client } });
}

class Forum extends RESTDataSource {
  baseURL = process.env.UPSTREAM;
  willSendRequest(_path, request) {
    Object.assign(request.headers, { authorization: 'Basic ZGVtbzpkZW1v', accept: 'application/xml' });
  }
  parseBody(response) {
    return response.text();
  }
  posts = async () => forumPosts(await this.get(''));
}

const resolvers = {
  Query: {
    client: (_root, { id }, { crm }) => crm.client(id),
    clients: (_root, _args, { crm }) => crm.clients(),
    posts: async (_root, { limit }, { crm }) => (await crm.posts()).slice(0, limit),
    deals: async (_root, { limit }, { crm }) => (await crm.deals()).slice(0, limit),
    apiTokens: (_root, _args, { account }) => account.apiTokens(),
    dashboards: (_root, _args, { account }) => account.dashboards(),
    flexSearch: (_root, search, { account }) => account.flexSearch(search),
    forumPosts: (_root, _args, { forum }) => forum.posts(),
  },
  Mutation: { createClient: (_root, { input }, { crm }) => crm.createClient(input) },
  Client: { contact: (client, _args, { crm }) => crm.contact(client.contact_id) },
  Post: { client: (post, _args, { crm }) => crm.client(post.client_id) },
  Deal: { client: (deal, _args, { crm }) => crm.client(deal.client_id) },
  FlexHit: { data: flexData },
};

const server = new ApolloServer({ typeDefs, resolvers });
const context = async () => {
  const options = { cache: server.cache };
  return { account: new Account(options), crm: new Crm(options), forum: new Forum(options) };
};
await startStandaloneServer(server, { listen: { port: Number(process.env.PORT), host: '127.0.0.1' }, context });

import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { gatewayOver } from '../support/gateway.ts';
import { testCollector } from './collector.ts';
import { setVariables, tracedBy } from './support.ts';

// No id, argument, alias, credential, URL or text of an upstream leaves the process with a span.

const ID = '987654321';

const SECRETS = {
  authorization: 'Bearer canary-bearer',
  'x-crm-token': 'canary-crm',
  'x-forum-authorization': `Basic ${Buffer.from('canary-login:canary-password').toString('base64')}`,
  cookie: 'flex_key=canary-cookie',
  'x-request-id': 'canary-request',
  'x-forwarded-for': '203.0.113.77',
  baggage: 'user=canary-baggage',
};

const OPERATION = `query Plain($id: ID!, $text: String!, $code: String!) {
  canaryAlias: client(id: $id) { canaryName: name }
  canaryDeals: deals(filter: { text: $text }) { nodes { canaryClient: client { name } } }
  canaryTokens: apiTokens { id }
  canaryPost: forumPost(id: $id) { id }
  canaryCategory: forumPosts(category: "canary-category") { nodes { id } }
  canaryFlex: publicFlexDb(code: $code) { canaryGet: get(id: "canary-key") { id } }
}`;

const WRITE = `mutation Write($input: ClientInput!) {
  canaryWrite: createClient(input: $input) { __typename ... on Client { name } }
}`;

const upstreamAnswer: RequestListener = (request, response) => {
  const { method, url = '' } = request;
  if (method !== 'GET') return says('{"errors":{"name":["canary-refusal"]}}', { status: 422 })(request, response);
  if (url.includes('/clients/')) return says(`{"id":${ID},"name":"canary-value"}`)(request, response);
  if (url.includes('/deals')) return says(`[{"id":1,"name":"canary-deal","client_id":${ID}}]`)(request, response);
  return says('{"error":"canary-text"}', { status: 500, headers: { 'x-canary': 'canary-header' } })(request, response);
};

test('what is sent, and what is logged of the collector', async () => {
  setVariables({ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=canary-collector' });
  const collector = await testCollector((_request, response) => void response.writeHead(500).end('canary-answer'));
  const upstream = await stubUpstream(upstreamAnswer);
  const url = new URL(upstream.url);
  const { execute, close, logs } = await gatewayOver(
    upstream.url,
    tracedBy(collector, {
      CRM_URL: url,
      FORUM_URL: url,
      FLEX_COOKIES: ['flex_key'],
      TRUST_PROXY: 1,
      OTEL_BSP_SCHEDULE_DELAY: 60_000,
    }),
  );

  const variables = { id: ID, text: 'canary-deal', code: 'canary-code' };
  const read = await execute(OPERATION, { variables, headers: SECRETS });
  const written = await execute(WRITE, { variables: { input: { name: 'canary-input' } }, headers: SECRETS });

  expect(JSON.stringify([read, written])).toContain('canary-value'); // the operations have run
  await close();
  expect(collector.requests[0]?.headers['x-key']).toBe('canary-collector');
  expect(upstream.received.length).toBeGreaterThanOrEqual(4);
  const sent = collector.requests.map(({ body }) => body.toString('latin1')).join('');
  expect(sent).toContain('/app/clients/:id.json');
  expect(sent).not.toMatch(/canary/i);
  expect(sent).not.toContain(ID);
  expect(sent).not.toContain('203.0.113.77');
  for (const secret of ['canary-collector', 'canary-answer']) expect(logs.join('')).not.toContain(secret);
});

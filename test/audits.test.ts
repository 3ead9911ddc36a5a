import { serverAudits } from 'graphql-http';
import { beforeAll, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../src/server/server.ts';
import { testConfig } from './support/gateway.ts';

// The audits of the GraphQL-over-HTTP specification, each over HTTP against a gateway that no upstream stands behind.

let gateway: Gateway;

beforeAll(async () => {
  gateway = await createGateway(testConfig({ LOG_LEVEL: 'silent' }));
  return () => gateway.close();
});

const audits = serverAudits({ url: () => `${gateway.url}/graphql` });

test('there are 60 audits or more', () => {
  expect(audits.length).toBeGreaterThanOrEqual(60);
});

test.each(audits)('$id: $name', async ({ fn }) => {
  expect(await fn()).toMatchObject({ status: 'ok' });
});

import { createServer } from 'node:http';
import { once } from 'node:events';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/observe/log.ts';
import { createGateway } from '../../src/edge/server.ts';
import type { Bound } from './bound.ts';

const CREATE = `mutation ($ids: [ExternalIdInput!]) {
  createClient(input: { name: "x", externalIds: $ids }) { __typename }
}`;

/** Creates a client with so many external ids, once to warm up and once measured. @returns milliseconds of CPU */
async function creation(count: number): Promise<number> {
  const upstream = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":1}'));
  });
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  const address = upstream.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const config = readConfig({ PORT: '0', CRM_URL: `http://127.0.0.1:${port}` });
  const gateway = await createGateway(config, { log: createLog('error', { write: () => {} }) });
  const variables = { ids: Array.from({ length: count }, (_, index) => ({ system: String(index), value: '1' })) };
  const headers = { 'content-type': 'application/json', 'x-crm-token': 'token' };
  const body = JSON.stringify({ query: CREATE, variables });
  const create = async () => {
    const text = await (await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })).text();
    if (!text.includes('"Client"')) throw new Error(text);
  };
  try {
    await create();
    const before = process.cpuUsage();
    await create();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  } finally {
    await gateway.close();
    upstream.closeAllConnections();
    upstream.close();
  }
}

export const externalIdBounds: readonly Bound[] = [
  { name: 'a client with 65,000 external ids', limit: 2_000, unit: 'ms of CPU', measure: () => creation(65_000) },
];

import { describe, expect, test } from 'vitest';
import { freshSandbox } from '../../support/sandbox.ts';
import { clients, controlled, rawRequest } from './support.ts';

const requests = [
  ['POST', '/sandbox/reset'],
  ['GET', '/sandbox/faults'],
  ['POST', '/sandbox/faults'],
  ['DELETE', '/sandbox/faults'],
  ['GET', '/sandbox/calls'],
  ['DELETE', '/sandbox/calls'],
  ['OPTIONS', '/sandbox/faults'],
] as const;

describe('who may control the sandbox', () => {
  test.each(requests)('%s %s is refused with a Host of the web', async (method, path) => {
    const { sandbox } = await freshSandbox();
    const { status, body, headers } = await rawRequest(sandbox.urls.account + path, method, { Host: 'evil.example' });
    expect({ status, cors: headers['access-control-allow-origin'] }).toEqual({ status: 403, cors: undefined });
    expect(body).toContain('Host names another host');
  });

  test.each(requests)('%s %s is refused with an Origin of the web', async (method, path) => {
    const { sandbox } = await freshSandbox();
    const answer = await rawRequest(sandbox.urls.account + path, method, { Origin: 'https://evil.example' });
    expect({ status: answer.status, cors: answer.headers['access-control-allow-origin'] }).toEqual({
      status: 403,
      cors: undefined,
    });
    expect(answer.body).toContain('Origin names another host');
  });

  test('a refused request changes nothing', async () => {
    const { sandbox, fault, listClients } = await controlled();
    await fault({ endpoint: clients, status: 503 });
    const refused = { Origin: 'https://evil.example' };
    await rawRequest(`${sandbox.urls.account}/sandbox/faults`, 'DELETE', refused);
    await rawRequest(`${sandbox.urls.account}/sandbox/reset`, 'POST', refused);
    expect((await listClients()).status).toBe(503);
  });

  test.each([
    ['null'],
    ['http://localhost.evil.example'],
    ['http://127.0.0.1.evil.example'],
    ['http://evil.example:80'],
    ['http://user@localhost'],
    ['file://localhost'],
    ['http://[::2]'],
    ['http://128.0.0.1'],
    [''],
    ['localhost'],
  ])('the Origin %j is not of this machine', async (Origin) => {
    const { sandbox } = await freshSandbox();
    expect((await rawRequest(`${sandbox.urls.account}/sandbox/calls`, 'GET', { Origin })).status).toBe(403);
  });

  test.each([
    ['http://localhost'],
    ['http://localhost:5173'],
    ['https://localhost:5173'],
    ['http://127.0.0.1:3000'],
    ['http://[::1]:3000'],
  ])('the Origin %s is, and its pages may read the answer', async (Origin) => {
    const { sandbox } = await freshSandbox();
    const { status, headers } = await rawRequest(`${sandbox.urls.account}/sandbox/calls`, 'GET', { Origin });
    expect({ status, cors: headers['access-control-allow-origin'], vary: headers.vary }).toEqual({
      status: 200,
      cors: Origin,
      vary: 'Origin',
    });
  });

  test.each([['localhost:4001'], ['LOCALHOST'], ['127.0.0.1'], ['[::1]:4001']])('the Host %s is', async (Host) => {
    const { sandbox } = await freshSandbox();
    expect((await rawRequest(`${sandbox.urls.account}/sandbox/calls`, 'GET', { Host })).status).toBe(200);
  });
});

describe('CORS', () => {
  test('a preflight allows the methods and the type of a body', async () => {
    const { sandbox } = await freshSandbox();
    const url = `${sandbox.urls.account}/sandbox/faults`;
    const { status, headers } = await rawRequest(url, 'OPTIONS', { Origin: 'http://localhost:5173' });
    expect({ status, ...headers }).toMatchObject({
      status: 204,
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'Content-Type',
      'access-control-max-age': '600',
    });
  });

  test('the reason of a refused fault may be read by a page', async () => {
    const { sandbox } = await freshSandbox();
    const Origin = 'http://localhost:5173';
    const answer = await rawRequest(`${sandbox.urls.account}/sandbox/faults`, 'POST', { Origin }, '{}');
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([400, Origin]);
  });

  test('the endpoints of the APIs have none', async () => {
    const { sandbox } = await controlled();
    const Origin = 'http://localhost:5173';
    const answer = await rawRequest(`${sandbox.urls.crm}/app/clients.json?api_token=demo-admin`, 'GET', { Origin });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, undefined]);
  });
});

test('an unknown path of the sandbox is 404 and names those that there are, another method is 405', async () => {
  const { call } = await freshSandbox();
  expect(await call('GET', '/sandbox/call')).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining('GET /sandbox/calls') },
  });
  const { status, headers } = await call('PUT', '/sandbox/calls');
  expect([status, headers.get('allow')]).toEqual([405, 'GET, DELETE']);
});

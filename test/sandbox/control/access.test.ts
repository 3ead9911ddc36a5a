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
  test.each(requests)('%s %s is refused with a Host or an Origin of the web', async (method, path) => {
    const { sandbox } = await freshSandbox();
    for (const [header, value] of [
      ['Host', 'evil.example'],
      ['Origin', 'https://evil.example'],
    ] as const) {
      const { status, body, headers } = await rawRequest(sandbox.urls.account + path, method, { [header]: value });
      expect({ status, cors: headers['access-control-allow-origin'] }).toEqual({ status: 403, cors: undefined });
      expect(body).toContain(`${header} names another host`);
    }
  });

  test('a refused request changes nothing', async () => {
    const { sandbox, fault, listClients } = await controlled();
    await fault({ endpoint: clients, status: 503 });
    const refused = { Origin: 'https://evil.example' };
    await rawRequest(`${sandbox.urls.account}/sandbox/faults`, 'DELETE', refused);
    await rawRequest(`${sandbox.urls.account}/sandbox/reset`, 'POST', refused);
    expect((await listClients()).status).toBe(503);
  });

  test('an Origin that is not of this machine is refused', async () => {
    const { sandbox } = await freshSandbox();
    const names = ['localhost.evil.example', '127.0.0.1.evil.example', 'evil.example:80', 'user@localhost', '[::2]'];
    const origins = [...names, '128.0.0.1'].map((name) => `http://${name}`);
    for (const Origin of [...origins, 'file://localhost', 'null', '', 'localhost']) {
      const { status } = await rawRequest(`${sandbox.urls.account}/sandbox/calls`, 'GET', { Origin });
      expect(status, Origin).toBe(403);
    }
  });

  test('an Origin of this machine is not, and its pages may read the answer', async () => {
    const { sandbox } = await freshSandbox();
    const names = ['http://localhost', 'http://localhost:5173', 'https://localhost:5173', 'http://127.0.0.1:3000'];
    for (const Origin of [...names, 'http://[::1]:3000']) {
      const { status, headers } = await rawRequest(`${sandbox.urls.account}/sandbox/calls`, 'GET', { Origin });
      const { vary } = headers;
      expect({ status, cors: headers['access-control-allow-origin'], vary }, Origin).toEqual({
        status: 200,
        cors: Origin,
        vary: 'Origin',
      });
    }
    for (const Host of ['localhost:4001', 'LOCALHOST', '127.0.0.1', '[::1]:4001']) {
      expect((await rawRequest(`${sandbox.urls.account}/sandbox/calls`, 'GET', { Host })).status, Host).toBe(200);
    }
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

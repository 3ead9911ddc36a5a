import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { heldTimers } from '../../support/deadlines.ts';
import { callAt } from '../../support/sandbox.ts';
import { clients, controlled } from './support.ts';

const creation = 'POST /app/clients.json';

describe('a fault', () => {
  test('answers its status until the faults are removed, and changes nothing', async () => {
    const { control, fault, createClient, listClients } = await controlled();
    expect(await fault({ endpoint: creation, status: 503 })).toMatchObject({
      status: 201,
      body: { endpoint: creation, status: 503 },
    });
    expect([(await createClient('Ada')).status, (await createClient('Ada')).status]).toEqual([503, 503]);
    expect((await listClients()).body).toHaveLength(0);

    expect((await control('DELETE', '/sandbox/faults')).status).toBe(204);

    expect((await createClient('Ada')).status).toBe(201);
  });

  test('with times is met so many times', async () => {
    const { control, fault, listClients } = await controlled();
    await fault({ endpoint: clients, status: 500, times: 2 });
    expect((await listClients()).status).toBe(500);
    expect((await control('GET', '/sandbox/faults')).body).toMatchObject({
      faults: [{ endpoint: clients, status: 500, times: 1 }],
    });
    expect([(await listClients()).status, (await listClients()).status]).toEqual([500, 200]);
    expect((await control('GET', '/sandbox/faults')).body).toMatchObject({ faults: [] });
  });

  test('is met before the credential is looked at', async () => {
    const { control, fault } = await controlled();
    await fault({ endpoint: clients, status: 429 });
    expect((await control('GET', '/app/clients.json')).status).toBe(429);
  });

  test('that cuts the connection sends no answer, and changes nothing', async () => {
    const { fault, createClient, listClients } = await controlled();
    await fault({ endpoint: creation, cut: true, times: 1 });
    await expect(createClient('Ada')).rejects.toThrow('fetch failed');
    expect((await listClients()).body).toHaveLength(0);
  });

  test.each([
    ['delays', {}, 1, expect.objectContaining({ status: 201 })],
    ['applies, then cuts, with a delay,', { applyThenCut: 'before-status' }, 1, expect.any(TypeError)],
    ['answers a status, with a delay,', { status: 503 }, 0, expect.objectContaining({ status: 503 })],
  ])('that %s makes its caller wait (%j): %i clients are made at once', async (_what, fields, made, outcome) => {
    const { fault, createClient, listClients } = await controlled();
    const DELAY_MS = 59_999;
    const { open, come } = heldTimers((_reach, ms) => ms === DELAY_MS);
    await fault({ endpoint: creation, delayMs: DELAY_MS, ...fields });
    const late = createClient('Ada').catch((error: unknown) => error);
    await expect.poll(open).toBe(1);
    expect((await listClients()).body).toHaveLength(made);
    expect(await Promise.race([late, 'waits'])).toBe('waits');
    come(DELAY_MS);
    expect(await late).toEqual(outcome);
  });

  test.each(['before-status', 'mid-body'])(
    'that applies, then cuts %s, changes what was asked for',
    async (applyThenCut) => {
      const { control, fault, createClient, listClients } = await controlled();
      await fault({ endpoint: creation, applyThenCut, times: 1 });
      await expect(createClient('Ada')).rejects.toThrow(applyThenCut === 'mid-body' ? 'terminated' : 'fetch failed');
      expect((await listClients()).body).toHaveLength(1);
      expect((await control('GET', '/sandbox/calls')).body).toMatchObject({
        calls: [{ endpoint: creation, status: 201, fault: true }, { endpoint: clients }],
      });
      expect((await createClient('Bob')).status).toBe(201);
    },
  );

  test('that applies, then cuts in the middle of the body, sends the head and half of it', async () => {
    const { sandbox, fault, createClient } = await controlled();
    await createClient('Ada');
    await fault({ endpoint: 'GET /app/clients/:id.json', applyThenCut: 'mid-body' });
    const response = await fetch(`${sandbox.urls.crm}/app/clients/1.json?api_token=demo-admin`);
    const length = Number(response.headers.get('content-length'));
    let received = 0;
    const readAll = async () => {
      for await (const chunk of response.body ?? []) received += chunk.length;
    };
    await expect(readAll()).rejects.toThrow('terminated');
    expect([response.status, received]).toEqual([200, Math.floor(length / 2)]);
  });

  test('that applies, then cuts in the middle of a body that is empty, sends nothing', async () => {
    const { sandbox, fault } = await controlled();
    const call = callAt(sandbox.urls.account);
    const token = 'demo-admin';
    const created = await call('POST', '/account/api_tokens.json', { token, body: { api_token: { name: 'CI' } } });
    const path = `/account/api_tokens/${z.object({ id: z.number() }).parse(created.body).id}.json`;
    await fault({ endpoint: 'DELETE /account/api_tokens/:id.json', applyThenCut: 'mid-body' });
    await expect(call('DELETE', path, { token })).rejects.toThrow('fetch failed');
    expect((await call('GET', path, { token })).status).toBe(404);
  });

  test('that applies, then cuts a request that the API refuses, changes nothing', async () => {
    const { control, fault, createClient, listClients } = await controlled();
    await fault({ endpoint: creation, applyThenCut: 'before-status' });
    await expect(createClient('')).rejects.toThrow('fetch failed');
    expect((await listClients()).body).toHaveLength(0);
    expect((await control('GET', '/sandbox/calls')).body).toMatchObject({ calls: [{ status: 422 }, {}] });
  });

  test('replaces the one that its endpoint had, and leaves other endpoints alone', async () => {
    const { control, fault, listClients, createClient } = await controlled();
    await fault({ endpoint: clients, status: 500 });
    await fault({ endpoint: clients, status: 502 });
    expect([(await listClients()).status, (await createClient('Ada')).status]).toEqual([502, 201]);
    expect((await control('GET', '/sandbox/faults')).body).toMatchObject({ faults: [{ status: 502 }] });
  });

  test('is of a route, whatever the values in its path are', async () => {
    const { sandbox, fault } = await controlled();
    await fault({ endpoint: 'GET /app/clients/:id.json', status: 502 });
    const status = async (id: number) =>
      (await callAt(sandbox.urls.crm)('GET', `/app/clients/${id}.json?api_token=demo-admin`)).status;
    expect([await status(1), await status(2)]).toEqual([502, 502]);
  });

  test('is set at the first port for the forum, which answers plain text', async () => {
    const { sandbox, fault } = await controlled();
    await fault({ endpoint: 'GET /app/users/me.xml', status: 503 });
    const response = await fetch(`${sandbox.urls.forum}/app/users/me.xml`);
    expect([response.status, response.headers.get('content-type')]).toEqual([503, 'text/plain; charset=utf-8']);
  });

  test('is set at the port of the account API for an API with a port of its own', async () => {
    const { sandbox, fault, listClients } = await controlled({ origins: 'own' });
    await fault({ endpoint: clients, status: 503 });
    expect((await listClients()).status).toBe(503);
    for (const url of [sandbox.urls.flex, sandbox.urls.crm, sandbox.urls.forum]) {
      const response = await fetch(`${url}/sandbox/faults`, { method: 'DELETE' });
      expect(response.status).not.toBe(204);
    }
  });
});

test('a delay that is not over when the sandbox is closed does not keep it open', async () => {
  const { sandbox, fault, listClients } = await controlled();
  await fault({ endpoint: clients, delayMs: 60_000 });
  const ended = listClients().catch((error: unknown) => error);
  await expect.poll(() => sandbox.calls(), { interval: 5 }).toHaveLength(1);
  await sandbox.close();
  expect(await ended).toBeInstanceOf(TypeError);
});

test('GET /sandbox/faults lists every endpoint that may have one', async () => {
  const { sandbox, control } = await controlled();
  expect((await control('GET', '/sandbox/faults')).body).toEqual({ faults: [], endpoints: sandbox.routes });
});

describe('a fault that cannot be set is 400 and says why', () => {
  const both = (one: string, other: string, rest = '') => `the fault must not have both ${one} and ${other}${rest}`;
  const uncarried = (one: string) => `: with ${one} the request is not carried out`;
  const cutTimes = 'applyThenCut must be "before-status" or "mid-body"';
  const takes = 'it takes endpoint, status, delayMs, cut, applyThenCut and times';
  test.each<[fields: object, error: string]>([
    [{}, 'the fault must have status, delayMs, cut or applyThenCut'],
    [{ status: 503, cut: true }, both('status', 'cut')],
    [{ status: 200 }, 'status must be a whole number from 400 to 599'],
    [{ status: '503' }, 'status must be a whole number from 400 to 599'],
    [{ delayMs: 60_001 }, 'delayMs must be a whole number from 1 to 60000'],
    [{ delayMs: 0.5 }, 'delayMs must be a whole number from 1 to 60000'],
    [{ cut: false }, 'cut must be true'],
    [{ applyThenCut: true }, cutTimes],
    [{ applyThenCut: 'late' }, cutTimes],
    [{ status: 503, applyThenCut: 'mid-body' }, both('status', 'applyThenCut', uncarried('status'))],
    [{ cut: true, applyThenCut: 'mid-body' }, both('cut', 'applyThenCut', uncarried('cut'))],
    [{ cut: true, times: 0 }, 'times must be a whole number from 1 to 1000000'],
    [{ status: 503, tims: 2 }, `the fault has the unknown field "tims": ${takes}`],
    [{ endpoint: undefined }, 'endpoint must be a string such as "GET /app/clients.json"'],
  ])('%j', async (fields, error) => {
    const { fault } = await controlled();
    expect(await fault({ endpoint: clients, ...fields })).toMatchObject({ status: 400, body: { error } });
  });

  test('the endpoint is none: the nearest is named, and a long one is shortened', async () => {
    const { fault } = await controlled();
    const database = '3f2a9c54-7d1e-4b86-9a0f-5c8e21d47b10';
    for (const [endpoint, nearest] of [
      ['GET /app/client.json', 'GET /app/clients.json'],
      ['get /app/deals.json', 'GET /app/deals.json'],
      ['GET /app/clients/7.json', 'GET /app/clients/:id.json'],
      [`GET /flex/dbs/${database}/records.json`, 'GET /flex/dbs/:db_id/records.json'],
      ['DELETE /app/posts/565.xml', 'DELETE /app/posts/:post_id.xml'],
    ] as const) {
      const error = `there is no endpoint "${endpoint}": the nearest is "${nearest}", GET /sandbox/faults lists all`;
      expect(await fault({ endpoint, status: 503 })).toMatchObject({ status: 400, body: { error } });
    }
    const { status, body } = await fault({ endpoint: `GET /${'x'.repeat(10_000)}`, status: 503 });
    expect(status).toBe(400);
    expect(JSON.stringify(body).length).toBeLessThan(300);
  });

  test('a body that is no JSON object, or larger than 1 MB', async () => {
    const { sandbox } = await controlled();
    const post = async (body: string) =>
      (await fetch(`${sandbox.urls.account}/sandbox/faults`, { method: 'POST', body })).status;
    expect([await post('['), await post('7'), await post(' '.repeat(1024 * 1024 + 1))]).toEqual([400, 400, 413]);
  });
});

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { clientGatewayOver, timeOf, TIMES } from '../preconditions/client-upstream.ts';
import { gatewayOver, type TestGateway } from '../support/gateway.ts';

// A client that disconnects before its call was sent holds nothing: no place in a queue, no record lock, no connection, no receipt.

const CHANGE = `mutation ($at: DateTime) { updateClient(id: 1, input: { name: "new" }, ifUpdatedAt: $at) { __typename } }`;
const READ = '{ client(id: 1) { name } }';

interface Sent {
  /** Undefined for a write without a condition. */
  readonly at?: string | undefined;
  readonly key?: string | undefined;
}

/** Sends an operation of a client that can disconnect. */
function clientOf(url: string, document: object, { at, key }: Sent = {}) {
  const connection = new AbortController();
  onTestFinished(() => connection.abort());
  const headers = {
    'content-type': 'application/json',
    'x-crm-token': 'token',
    ...(key && { 'idempotency-key': key }),
  };
  const body = JSON.stringify({ ...document, variables: { at } });
  const answer = fetch(`${url}/graphql`, { method: 'POST', headers, body, signal: connection.signal }).then(
    (response) => response.text(),
    () => 'disconnected',
  );
  return { answer, disconnect: () => connection.abort() };
}

/** What operations hold: operations, calls to the CRM, those of them that wait for a connection, and receipts. */
async function heldBy({ metrics }: TestGateway) {
  const text = await metrics();
  const valueOf = (name: string) => Number(new RegExp(`^trivium_${name}(?:{api="crm"})? (\\d+)$`, 'm').exec(text)?.[1]);
  return {
    operations: valueOf('operations_in_flight'),
    calls: valueOf('upstream_calls_in_flight'),
    waiting: valueOf('upstream_calls_waiting'),
    receipts: valueOf('receipts'),
  };
}

const NOTHING = { operations: 0, calls: 0, waiting: 0, receipts: 0 };

async function opened(settings: Partial<Config> = {}) {
  const over = await clientGatewayOver({ METRICS_PORT: 0, IDEMPOTENCY: 'memory', ...settings });
  const holds = async (held: Partial<typeof NOTHING>) =>
    await expect.poll(() => heldBy(over)).toEqual({ ...NOTHING, ...held });
  /** Changes the record as its next client does: one read where nobody has its lock, or waits for it. */
  const changeNext = async () => {
    const before = over.upstream.calls().length;
    const { name: _name, updated_at: at } = over.upstream.clientOf('1');
    expect((await over.change('next', String(at))).result).toMatchObject({ name: 'next' });
    expect(over.upstream.calls().slice(before)).toEqual(['GET', 'PUT']);
  };
  const send = (query: string, sent: Sent = {}) => clientOf(over.url, { query }, sent);
  return { ...over, holds, changeNext, send };
}

type Opened = Awaited<ReturnType<typeof opened>>;

/** A write of another client, which is sent and has the lock of the record. @returns a function that lets upstream refuse it */
async function otherWrite({ upstream, send, holds }: Opened) {
  const put = new Promise<() => void>((resolve) => {
    upstream.answerNext('PUT', (_request, response) => {
      resolve(() => void response.writeHead(422).end('{"errors":{"name":["bad"]}}'));
    });
  });
  const { answer } = send(CHANGE, { at: timeOf(0) });
  const refuse = await put;
  await holds({ operations: 1, calls: 1 });
  return async () => {
    refuse();
    await answer;
  };
}

/** A read of another client on the only connection. */
async function otherRead({ upstream, send }: Opened) {
  const get = upstream.holdNext('GET');
  const { answer } = send('{ client(id: 2) { name } }');
  const go = await get;
  return async () => {
    go();
    await answer;
  };
}

const KINDS: readonly (readonly [string, Sent])[] = [
  ['a conditional write', { at: timeOf(0) }],
  ['a conditional write with a key', { at: timeOf(0), key: 'key' }],
];

const receiptsOf = ({ key }: Sent) => (key === undefined ? 0 : 1);

test.each(KINDS)('%s: disconnected while the record is read before the wait for its lock', async (_kind, sent) => {
  const over = await opened();
  const end = await otherWrite(over);
  const get = over.upstream.holdNext('GET');
  const { disconnect } = over.send(CHANGE, sent);
  await get;
  await over.holds({ operations: 2, calls: 2, receipts: receiptsOf(sent) });
  disconnect();
  await over.holds({ operations: 1, calls: 1 });
  await end();
  await over.holds({});
  await over.changeNext();
});

test.each(KINDS)('%s: disconnected while another client has the lock', async (_kind, sent) => {
  const over = await opened();
  const end = await otherWrite(over);
  const { disconnect } = over.send(CHANGE, sent);
  await over.holds({ operations: 2, calls: 1, receipts: receiptsOf(sent) });
  await expect.poll(over.upstream.calls).toEqual(['GET', 'PUT', 'GET']);
  await over.holds({ operations: 2, calls: 1, receipts: receiptsOf(sent) });
  disconnect();
  await over.holds({ operations: 1, calls: 1 });
  await end();
  await over.holds({});
  await over.changeNext();
});

test('those who disconnect while another client has the lock keep nobody out of its queue', async () => {
  const over = await opened();
  const end = await otherWrite(over);
  for (let wave = 0; wave < 2; wave++) {
    const clients = Array.from({ length: 99 }, () => over.send(CHANGE, { at: timeOf(0) }));
    await over.holds({ operations: 100, calls: 1 });
    for (const { disconnect } of clients) disconnect();
    await over.holds({ operations: 1, calls: 1 });
  }
  const next = over.send(CHANGE, { at: timeOf(0) });
  await over.holds({ operations: 2, calls: 1 });
  await end();
  expect(await next.answer).toContain('"Client"');
});

test.each(KINDS)('%s: disconnected while it has the lock and reads the record', async (_kind, sent) => {
  const over = await opened();
  const get = over.upstream.holdNext('GET');
  const { disconnect } = over.send(CHANGE, sent);
  await get;
  await over.holds({ operations: 1, calls: 1, receipts: receiptsOf(sent) });
  disconnect();
  await over.holds({});
  await over.changeNext();
});

test.each([['a write', {}], ['a write with a key', { key: 'key' }], ...KINDS] as const)(
  '%s: disconnected while it waits for a connection',
  async (_kind, sent: Sent) => {
    const over = await opened({ UPSTREAM_CONNECTIONS: 1 });
    const end = await otherRead(over);
    const { disconnect } = over.send(CHANGE, sent);
    await over.holds({ operations: 2, calls: 2, waiting: 1, receipts: receiptsOf(sent) });
    disconnect();
    await over.holds({ operations: 1, calls: 1 });
    await end();
    await over.holds({});
    expect(over.upstream.calls()).toEqual(['GET']);
    await over.changeNext();
  },
);

test.each(KINDS)(
  '%s: disconnected while it has the lock and waits for a connection to be sent',
  async (_kind, sent) => {
    const over = await opened({ UPSTREAM_CONNECTIONS: 1 });
    const get = over.upstream.holdNext('GET');
    const { disconnect } = over.send(CHANGE, sent);
    const go = await get;
    const others = otherRead(over); // it gets the connection of the read
    await over.holds({ operations: 2, calls: 2, waiting: 1, receipts: receiptsOf(sent) });
    go();
    const end = await others;
    await over.holds({ operations: 2, calls: 2, waiting: 1, receipts: receiptsOf(sent) });
    disconnect();
    await over.holds({ operations: 1, calls: 1 });
    await end();
    await over.holds({});
    expect(over.upstream.calls()).toEqual(['GET', 'GET']);
    await over.changeNext();
  },
);

test.each([
  ['a write with a key', { key: 'key' }],
  ['a conditional write with a key', { at: timeOf(0), key: 'key' }],
] as const)('%s: disconnected while an earlier attempt under the key is under way', async (_kind, sent: Sent) => {
  const over = await opened();
  const put = over.upstream.holdNext('PUT');
  const first = over.send(CHANGE, sent);
  const go = await put;
  const again = over.send(CHANGE, sent);
  await over.holds({ operations: 2, calls: 1, receipts: 1 });
  again.disconnect();
  await over.holds({ operations: 1, calls: 1, receipts: 1 });
  go();
  expect(await first.answer).toContain('"Client"');
  await over.holds({ receipts: 1 }); // that of the write, which was applied
});

test('a write that was sent keeps its connection, its receipt and the lock until its outcome is known', async () => {
  const over = await opened();
  const put = over.upstream.holdNext('PUT');
  const { disconnect } = over.send(CHANGE, { at: timeOf(0), key: 'key' });
  const go = await put;
  disconnect();
  await expect.poll(() => over.metrics()).toContain('trivium_callers_gone_total 1');
  await over.holds({ operations: 1, calls: 1, receipts: 1 });
  const next = over.change('next', timeOf(1));
  await expect.poll(over.upstream.calls).toEqual(['GET', 'PUT', 'GET']); // the lock is taken: the record is read before the wait
  go();
  expect((await next).result).toMatchObject({ __typename: 'ConflictError' });
});

test('a read: disconnected while it waits for a connection, and while upstream answers it', async () => {
  const over = await opened({ UPSTREAM_CONNECTIONS: 1 });
  const get = over.upstream.holdNext('GET');
  const first = over.send(READ);
  await get;
  const second = over.send('{ client(id: 2) { name } }');
  await over.holds({ operations: 2, calls: 2, waiting: 1 });
  second.disconnect();
  await over.holds({ operations: 1, calls: 1 });
  first.disconnect();
  await over.holds({});
  await over.changeNext();
});

test('the items of a bulk mutation that have not been sent ask for no receipts', async () => {
  const over = await opened();
  const put = over.upstream.holdNext('PUT');
  const items = [1, 2, 3].map((id) => `{ id: ${id}, input: { name: "new" } }`);
  const { disconnect } = over.send(
    `mutation { updateClients(inputs: [${items}], onFailure: CONTINUE) { __typename } }`,
    { key: 'key' },
  );
  const go = await put;
  disconnect();
  await expect.poll(() => over.metrics()).toContain('trivium_callers_gone_total 1');
  go();
  await over.holds({ receipts: 1 }); // that of the first item
  expect(over.upstream.calls()).toEqual(['PUT']);
  const [, asked] = /^trivium_receipts_asked_total{state="new"} (\d+)$/m.exec(await over.metrics()) ?? [];
  expect(asked).toBe('1');
});

/** An upstream over TLS that accepts connections, and never begins a handshake. */
async function silentTls() {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => sockets.delete(socket))
      .resume();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `https://127.0.0.1:${port}`, open: () => sockets.size, accepted: () => accepted };
}

test.each([
  ['a read', READ, {}],
  ['a write', CHANGE, {}],
  ['a write with a key', CHANGE, { key: 'key' }],
  ['a conditional write with a key', CHANGE, { at: timeOf(0), key: 'key' }],
] as const)('%s: disconnected while its connection is made', async (_kind, query, sent: Sent) => {
  const upstream = await silentTls();
  const settings = { METRICS_PORT: 0, UPSTREAM_CONNECTIONS: 1, IDEMPOTENCY: 'memory', ...TIMES } as const;
  const over = await gatewayOver(upstream.url, { ...settings, CRM_URL: new URL(upstream.url) });
  for (let client = 1; client <= 2; client++) {
    const { disconnect } = clientOf(over.url, { query }, sent);
    await expect.poll(upstream.accepted).toBe(client); // on the only connection that there may be
    disconnect();
    await expect.poll(upstream.open).toBe(0);
    await expect.poll(() => heldBy(over)).toEqual(NOTHING);
  }
});

test('a connection that is being made is given up when the time of its operation is over', async () => {
  const upstream = await silentTls();
  const settings = { UPSTREAM_CONNECTIONS: 1, ...TIMES };
  const over = await gatewayOver(upstream.url, { ...settings, CRM_URL: new URL(upstream.url) });
  for (let attempt = 1; attempt <= 2; attempt++) {
    const headers = { 'x-crm-token': 'token', 'x-trivium-timeout-ms': '100' };
    const { errors } = await over.execute(CHANGE, { headers });
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'REFUSED' } }]);
    await expect.poll(upstream.open).toBe(0);
    expect(upstream.accepted()).toBe(attempt); // on the only connection that there may be
  }
});

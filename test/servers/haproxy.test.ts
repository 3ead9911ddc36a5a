import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { CONFIG, dealsUpstream, startHaproxy, startReplica } from './replicas-support.ts';
import { freePort } from './support.ts';

// The files of `deploy` for HAProxy. replicas.test.ts runs the one for a machine.

const COMPOSE = 'deploy/haproxy-compose.cfg';

const files = readdirSync('deploy')
  .filter((name) => name.endsWith('.cfg'))
  .map((name) => `deploy/${name}`);

const check = (file: string) =>
  spawnSync('haproxy', ['-c', '-f', file], {
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` },
    encoding: 'utf8',
  });

test('HAProxy finds nothing to say about the files', () => {
  expect(files).toEqual([COMPOSE, CONFIG]);
  for (const file of files) {
    const { status, stderr } = check(file);
    expect({ file, status, stderr }).toEqual({ file, status: 0, stderr: '' });
  }
});

test('the files differ in the resolver, the address and the servers alone', () => {
  const own = /^(?:#|resolvers docker|    (?:#|nameserver|accepted_payload_size|timeout resolve|hold|bind|server))/;
  const [compose, machine] = files.map((file) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line !== '' && !own.test(line));
  });
  expect(compose).toEqual(machine);
  expect(machine).toContain('    option httpchk GET /ready');
});

/** A name server of the loopback that has one name, with these addresses. */
async function startNameServer(addresses: () => readonly string[]): Promise<number> {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 5; // of the question: the name, its type and class
    const question = query.subarray(12, end);
    const found = addresses();
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0]);
    // A pointer to the name in the question, A, IN, a second, four bytes.
    const records = found.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([head, question, ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

test('under Compose HAProxy finds each replica by its name, and leaves out one that is gone', async () => {
  const { url: crm } = await dealsUpstream();
  const port = await freePort();
  const hosts = ['127.0.0.2', '127.0.0.3'];
  const replicas = await Promise.all(hosts.map((HOST) => startReplica(port, { HOST, CRM_URL: crm })));
  let addresses = hosts.slice(0, 1);
  const nameServer = await startNameServer(() => addresses);
  const { url } = await startHaproxy(
    COMPOSE,
    new Map<string, (own: number) => string>([
      ['127.0.0.11:53', () => `127.0.0.1:${nameServer}`],
      ['bind :4000', (own) => `bind 127.0.0.1:${own}`],
      ['gateway:4000', () => `gateway:${port}`],
    ]),
  );
  const served = () => replicas.map(({ lines }) => lines.filter((line) => line.includes('"msg":"operation"')).length);
  const send = async () => {
    const before = served();
    const { status } = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    });
    expect(status).toBe(200);
    await expect
      .poll(() => served().reduce((sum, count) => sum + count))
      .toBe(before.reduce((sum, count) => sum + count) + 1);
    return served().findIndex((count, index) => count > (before[index] ?? 0));
  };
  const servers = async () => new Set([await send(), await send(), await send(), await send()]);

  expect(await servers()).toEqual(new Set([0]));
  addresses = hosts;
  await expect.poll(servers, { timeout: 20_000 }).toEqual(new Set([0, 1]));
  addresses = hosts.slice(1);
  await expect.poll(servers, { timeout: 20_000 }).toEqual(new Set([1]));
});

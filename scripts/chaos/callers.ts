import { connect, type Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import { answering, postOf, type Row, startGateway, startUpstream, until } from './trial.ts';

/** Callers that stall, flood and leave, with the settings as they are by default. */
export async function callers(): Promise<Row[]> {
  return [...(await stalling()), ...(await unread()), ...(await pipelining()), ...(await leaving())];
}

/** 300 connections: a third sends nothing, a third half a header, a third half a body. */
async function stalling(): Promise<Row[]> {
  const upstream = await startUpstream(answering('[]'));
  const gateway = await startGateway({ ACCOUNT_URL: upstream.url });
  const whole = postOf(gateway.port, '{ apiTokens { name } }');
  const parts = ['POST /graphql HTTP/1.1\r\nHost: a', whole.slice(0, -10)];
  const sockets = opened(gateway.port, 300, (index) => parts[index % parts.length] ?? '');
  const ms = await until(() => sockets.every(({ closed }) => closed), 30_000);
  await Promise.all([gateway.stop(), upstream.stop()]);
  const cut = sockets.filter(({ closed }) => closed).length;
  return [
    {
      case: '300 callers that stop in the midst of a header or a body',
      expected: 'cut after 15 s, within 18 s',
      measured: `${cut} cut in ${(ms / 1000).toFixed(1)} s`,
      passed: ms > 14_000 && ms < 18_000,
    },
  ];
}

/** 60 callers of an answer of 20 MB, of which they read nothing. They come one after the other. */
async function unread(): Promise<Row[]> {
  const name = 'x'.repeat(20_000);
  const clients = Array.from({ length: 1000 }, (_none, index) => ({ id: index + 1, name }));
  const upstream = await startUpstream(answering(JSON.stringify(clients)));
  const gateway = await startGateway({ CRM_URL: upstream.url });
  const request = postOf(gateway.port, '{ clients(first: 1000) { nodes { name } } }');
  const atRest = gateway.memoryNow();
  for (let left = 60; left > 0; left -= 1) {
    for (const { socket } of opened(gateway.port, 1, () => request)) socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const [now, peak] = [gateway.memoryNow(), gateway.memoryPeak()];
  await Promise.all([gateway.stop(), upstream.stop()]);
  return [
    {
      case: '60 callers that read nothing of an answer of 20 MB: memory at the peak',
      expected: 'below 800 MB: 128 of answers that wait, and lists that are read',
      measured: `${atRest} MB, at the peak ${peak}, in the end ${now}`,
      passed: peak < 800,
    },
  ];
}

/** 5,000 requests behind one another, whose answers nobody reads. */
async function pipelining(): Promise<Row[]> {
  const upstream = await startUpstream(answering('[]'));
  const gateway = await startGateway({ ACCOUNT_URL: upstream.url, SHARE_READS: 'false' });
  const request = postOf(gateway.port, '{ apiTokens { name } }').repeat(5_000);
  const [caller] = opened(gateway.port, 1, () => request);
  caller?.socket.pause();
  await until(() => upstream.received() >= 64, 5_000);
  caller?.socket.resume();
  await until(() => caller?.closed ?? true, 10_000);
  const ran = upstream.received();
  await Promise.all([gateway.stop(), upstream.stop()]);
  return [
    {
      case: '5,000 requests behind one another on a connection',
      expected: 'no more than 64 run',
      measured: `${ran} ran`,
      passed: ran <= 64,
    },
  ];
}

/** 100 callers leave, whose reads by id hang. */
async function leaving(): Promise<Row[]> {
  const held = new Set<ServerResponse>();
  let hangs = true;
  const answer = answering('{"id":1,"name":"Ada"}');
  const upstream = await startUpstream((request, response) => {
    if (!hangs) return answer(request, response);
    held.add(response);
    response.once('close', () => held.delete(response));
  });
  const gateway = await startGateway({ CRM_URL: upstream.url, BATCH_READS: 'by-id', SHARE_READS: 'false' });
  const aliases = Array.from({ length: 40 }, (_none, index) => `c${index}: client(id: ${index + 1}) { name }`);
  const query = `{ ${aliases.join(' ')} }`;
  const sockets = opened(gateway.port, 100, (index) => postOf(gateway.port, query, `caller-${index}`));
  await until(() => held.size === 128, 5_000); // as many as there are connections to one API
  await new Promise((resolve) => setTimeout(resolve, 500)); // all others wait for one
  for (const { socket } of sockets) socket.destroy();
  const ms = await until(() => held.size === 0, 20_000);
  const read = upstream.received();
  hangs = false;
  const start = performance.now();
  const response = await fetch(`http://127.0.0.1:${gateway.port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-crm-token': 'next' },
    body: '{"query":"{ client(id: 1) { name } }"}',
  });
  const isAnswered = (await response.text()).includes('Ada');
  const nextMs = performance.now() - start;
  const more = upstream.received() - read - 1;
  await Promise.all([gateway.stop(), upstream.stop()]);
  return [
    {
      case: '100 callers that leave with 40 reads each: the end of the last read',
      expected: 'within 1 s',
      measured: `${Math.round(ms)} ms`,
      passed: ms < 1_000,
    },
    {
      case: '100 callers that leave with 40 reads each: reads that start afterwards',
      expected: 'none',
      measured: String(more),
      passed: more === 0,
    },
    {
      case: '100 callers that leave with 40 reads each: the next query',
      expected: 'answered within 100 ms',
      measured: `${Math.round(nextMs)} ms`,
      passed: isAnswered && nextMs < 100,
    },
  ];
}

interface Caller {
  readonly socket: Socket;
  closed: boolean;
}

/** Opens connections, and writes a text to each. */
function opened(port: number, count: number, text: (index: number) => string): Caller[] {
  return Array.from({ length: count }, (_none, index) => {
    const socket = connect(port, '127.0.0.1');
    const caller: Caller = { socket, closed: false };
    socket.on('error', () => {}).on('close', () => (caller.closed = true));
    socket.on('data', () => {});
    socket.write(text(index));
    return caller;
  });
}

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';

/** A port of the loopback, and how to speak there. */
export interface RedisAddress {
  readonly port: number;
  readonly protocol?: 'redis' | 'rediss';
}

/** Answers a command with a reply as it goes over the wire; undefined for no answer. */
export type Reply = (command: readonly string[], socket: Socket) => string | undefined;

export interface StubRedis {
  readonly url: string;
  readonly port: number;
  /** The commands that it has received, with their arguments. */
  readonly commands: string[][];
  /** Changes how it answers. */
  answer: Reply;
  /** Ends all connections. */
  dropConnections(): void;
  /** Ends all connections, and refuses further ones. */
  stop(): Promise<void>;
}

/** A server that speaks just enough of the protocol of Redis to answer as the test says. By default each answer is OK. */
export async function stubRedis(answer: Reply = () => '+OK\r\n', port = 0): Promise<StubRedis> {
  const sockets = new Set<Socket>();
  const commands: string[][] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let read = readCommand(received); read; read = readCommand(received)) {
        received = received.slice(read.length);
        commands.push(read.command);
        const reply = stub.answer(read.command, socket);
        if (reply !== undefined && !socket.destroyed) socket.write(reply);
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const chosen = typeof address === 'object' && address !== null ? address.port : 0;
  const dropConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const stop = async () => {
    if (!server.listening) return;
    dropConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(stop);
  const stub = { url: `redis://127.0.0.1:${chosen}`, port: chosen, commands, answer, dropConnections, stop };
  return stub;
}

type RedisSettings = Pick<Config, 'REDIS_URL' | 'HASH_SECRET' | 'REDIS_TIMEOUT_MS'>;

/**
 * The settings of a gateway that uses the Redis at this address, with a login. Redis has five seconds in place of 50 ms, as a
 * busy machine is late with its answers.
 */
export function settingsOf({ port, protocol = 'redis' }: RedisAddress): RedisSettings {
  const { REDIS_URL, HASH_SECRET, REDIS_TIMEOUT_MS } = readConfig({
    REDIS_TIMEOUT_MS: '5000',
    REDIS_URL: `${protocol}://user:${PASSWORD}@127.0.0.1:${port}/2`,
    HASH_SECRET: 'canary: a secret for the tests of 32 characters',
  });
  return { REDIS_URL, HASH_SECRET, REDIS_TIMEOUT_MS };
}

export const PASSWORD = 'canary-password';

/** Reads an array of bulk strings. Undefined until all of it has arrived. */
function readCommand(text: string): { command: string[]; length: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (!head) return undefined;
  let at = head[0].length;
  const command: string[] = [];
  for (let left = Number(head[1]); left > 0; left--) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at, at + 20));
    if (!size) return undefined;
    const start = at + size[0].length;
    const end = start + Number(size[1]);
    if (text.length < end + 2) return undefined;
    command.push(text.slice(start, end));
    at = end + 2;
  }
  return { command, length: at };
}

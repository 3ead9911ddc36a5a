import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { clientsUpTo, saysJson } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { openConnection, postOf } from './connection.ts';

const COUNT = '{ clients { totalCount } }';
const CONNECTIONS = 12;
const PER_CONNECTION = 32;
const REQUESTS = postOf(COUNT).repeat(PER_CONNECTION);

/** A connection that is kept full of requests of one credential until the test ends. */
class Flood {
  refused = 0;
  readonly #socket: Socket;
  #answered = 0;
  #text = '';

  constructor(url: string) {
    this.#socket = openConnection(url).socket;
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk.toString('latin1')));
    this.#socket.write(REQUESTS);
  }

  #read(text: string): void {
    const answers = (this.#text + text).split('HTTP/1.1 ');
    this.#text = answers.at(-1) ?? ''; // it may be cut off
    this.#answered += answers.length - 1;
    this.refused += answers.slice(0, -1).filter((answer) => answer.startsWith('503 ')).length;
    if (this.#answered < PER_CONNECTION) return;
    this.#answered -= PER_CONNECTION;
    this.#socket.write(REQUESTS);
  }
}

test('a caller that floods does not take the share of one that asks for little', async () => {
  const upstream = await stubUpstream(saysJson(clientsUpTo(3)));
  const settings = {
    CRM_URL: new URL(upstream.url),
    CRM_SHARES_TOKEN: 'true',
    SHARE_READS: 'false',
    MAX_WAIT_MS: 100,
  } as const;
  const { url } = await gatewayOver(upstream.url, settings);
  const floods = Array.from({ length: CONNECTIONS }, () => new Flood(url));
  const refused = () => floods.reduce((sum, flood) => sum + flood.refused, 0);
  await expect.poll(refused).toBeGreaterThan(1_000);

  const ask = async () => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer modest' };
    return (await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: COUNT }) })).status;
  };
  const before = refused();
  const statuses: number[] = [];
  for (let request = 0; request < 80; request++) {
    statuses.push(await ask()); // its share is known after the first ones
    await delay(20); // it asks for little also when it is refused
  }
  expect(refused()).toBeGreaterThan(before);
  expect(statuses.slice(-20).filter((status) => status === 200).length).toBeGreaterThanOrEqual(18);
}, 60_000);

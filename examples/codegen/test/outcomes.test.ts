import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { outcomeOf } from 'trivium-kits/outcome';
import { assert, expect, onTestFinished, test } from 'vitest';
import { type Settings, startTrivium } from '../../trivium.ts';
import {
  CreateClientDocument,
  CreateClientsDocument,
  type CreateClientsMutationVariables,
} from '../generated/graphql.ts';
import { connect, type Execute } from '../src/client.ts';
import { createClient } from '../src/create-client.ts';
import { outcomesOf, unanswered } from '../src/outcomes.ts';

async function gateway(settings: Settings = {}): Promise<Execute> {
  const { url, close } = await startTrivium(['serve'], { LOG_LEVEL: 'silent', ...settings });
  onTestFinished(close);
  return connect(url, { token: 'demo-admin', crmToken: 'demo-admin' });
}

/** A CRM that answers every request alike. */
async function crm(answer: RequestListener): Promise<Settings> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  return { CRM_URL: `http://127.0.0.1:${address.port}` };
}

const create = async (execute: Execute, name: string | null, email?: string) =>
  outcomeOf(
    await execute(CreateClientDocument, { input: { name, ...(email !== undefined && { email }) } }).catch(unanswered),
  );

const createAll = async (execute: Execute, variables: CreateClientsMutationVariables) =>
  outcomesOf(
    await execute(CreateClientsDocument, variables).catch(unanswered),
    ({ createClients }) => createClients,
    variables.inputs.length,
  );

const three = [{ name: 'Ada' }, { name: 'Bob', email: 'nobody' }, { name: 'Cy' }];
const applied = (name: string) => ({ outcome: 'APPLIED', record: { __typename: 'Client', name } });
const invalid = { outcome: 'REFUSED', fields: new Map([['email', [expect.any(String)]]]) };

test('a mutation is applied, or refused with a reason', async () => {
  const execute = await gateway();
  expect(await createClient(execute, { name: 'Eve' })).toBe('Eve was created.');
  expect(await createClient(execute, { name: '' })).toBe("Refused: name: can't be blank");
  expect(await create(execute, 'Ada')).toMatchObject(applied('Ada'));
  expect(await create(execute, 'Bob', 'nobody')).toMatchObject(invalid);
});

test('the items of a bulk mutation have an outcome each', async () => {
  const execute = await gateway({ MAX_BULK: '3' });
  const notAttempted = { outcome: 'REFUSED', message: expect.stringContaining('Item 1'), fields: new Map() };
  expect(await createAll(execute, { inputs: three })).toMatchObject([applied('Ada'), invalid, notAttempted]);
  expect(await createAll(execute, { inputs: three, onFailure: 'CONTINUE' })).toMatchObject([
    applied('Ada'),
    invalid,
    applied('Cy'),
  ]);

  const refused = { outcome: 'REFUSED', message: expect.stringContaining('MAX_BULK'), fields: expect.any(Map) };
  expect(await createAll(execute, { inputs: [...three, {}] })).toEqual([refused, refused, refused, refused]);
});

test('a write that was not sent is refused, by an error', async () => {
  const execute = await gateway({ CRM_URL: 'http://127.0.0.1:1' }); // nobody listens there
  expect(await create(execute, 'Ada')).toMatchObject({
    outcome: 'REFUSED',
    message: expect.stringContaining('CRM_URL'),
  });
});

test('a write that upstream did not answer is unknown, and the items after it are not attempted', async () => {
  const execute = await gateway(await crm(({ socket }) => void socket.destroy()));
  expect(await create(execute, 'Ada')).toMatchObject({ outcome: 'UNKNOWN' });
  expect(await createClient(execute, { name: 'Ada' })).toMatch(/^Unknown: ./);
  expect(await createAll(execute, { inputs: three })).toMatchObject([
    { outcome: 'UNKNOWN' },
    { outcome: 'REFUSED', message: expect.stringContaining('item 0') },
    { outcome: 'REFUSED', message: expect.stringContaining('item 0') },
  ]);
});

test('a write that upstream accepted without a record is applied', async () => {
  const execute = await gateway(await crm((_request, response) => void response.writeHead(201).end()));
  expect(await create(execute, 'Ada')).toEqual({ outcome: 'APPLIED', record: null });
});

test('without an answer of the gateway the outcome is unknown', async () => {
  const execute = connect('http://127.0.0.1:1', {});
  expect(await create(execute, 'Ada')).toMatchObject({ outcome: 'UNKNOWN', message: 'fetch failed' });
  expect(await createAll(execute, { inputs: three })).toMatchObject(three.map(() => ({ outcome: 'UNKNOWN' })));
});

test('an error of a router, without an outcome or without extensions, leaves it unknown', async () => {
  const code = { code: 'INTERNAL_SERVER_ERROR' };
  for (const error of [{ message: 'fetch failed' }, { message: 'Unexpected error.', extensions: code }]) {
    const execute: Execute = async () => ({ data: null, errors: [error] });
    expect(await createClient(execute, { name: 'Ada' })).toBe(`Unknown: ${error.message}`);
    expect(await createAll(execute, { inputs: [{}] })).toMatchObject([{ outcome: 'UNKNOWN' }]);
  }
});

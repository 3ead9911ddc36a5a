import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// When a write makes a kept answer stale. Which answers it is, is tried in random.test.ts.

interface Call {
  /** Such as `GET /app/clients/1.json`. */
  readonly name: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A CRM that answers when it is told to, and a gateway that keeps its answers. */
async function heldCrm() {
  const calls: Call[] = [];
  const upstream = await stubUpstream((request, response) => {
    const [path = ''] = request.url?.split('?', 1) ?? [];
    calls.push({ name: `${request.method} ${path}`, request, response });
  });
  const settings = { CRM_CACHE_TTL_MS: 60_000, ACCOUNT_CACHE_TTL_MS: 60_000, CRM_URL: new URL(upstream.url) };
  const { execute } = await gatewayOver(upstream.url, settings, 'token');
  return {
    calls,
    as: (token: string) => async (query: string) => execute(query, { headers: { 'x-crm-token': token } }),
    /** Waits until so many calls have arrived in all, and returns the last one. */
    arrived: async (count: number) => {
      await expect.poll(() => calls.length).toBe(count);
      return calls[count - 1];
    },
  };
}

function answer(call: Call | undefined, body: unknown, status = 200): void {
  if (call) says(JSON.stringify(body), { status })(call.request, call.response);
}

const READ = '{ client(id: 1) { name } }';
const RENAME = 'mutation { updateClient(id: 1, input: { name: "New" }) { __typename } }';
const named = (name: string) => ({ id: 1, name });

/** Runs an operation whose one call is answered at once. */
async function answered(crm: Awaited<ReturnType<typeof heldCrm>>, operation: Promise<unknown>, body: unknown) {
  answer(await crm.arrived(crm.calls.length + 1), body);
  return operation;
}

test.each([
  ['before the write began', 'old'],
  ['while the write was under way', 'old'],
])('a read that was begun %s, and answered after it, is not kept', async (when) => {
  const crm = await heldCrm();
  const [reader, writer] = [crm.as('reader'), crm.as('writer')];
  const write = async () => ({ writing: writer(RENAME), call: await crm.arrived(crm.calls.length + 1) });
  const read = async () => ({ reading: reader(READ), call: await crm.arrived(crm.calls.length + 1) });
  const isBefore = when.startsWith('before');

  const early = isBefore ? await read() : undefined;
  const { writing, call } = await write();
  const { reading, call: readCall } = early ?? (await read());
  answer(call, named('New'));
  await writing;
  answer(readCall, named('Old'));
  expect((await reading).data).toEqual({ client: { name: 'Old' } });

  expect(await answered(crm, reader(READ), named('New'))).toMatchObject({ data: { client: { name: 'New' } } });
  expect((await reader(READ)).data).toEqual({ client: { name: 'New' } });
});

test('after a write of another credential nobody joins a read that was begun before it', async () => {
  const crm = await heldCrm();
  const [reader, writer] = [crm.as('reader'), crm.as('writer')];
  const first = reader(READ);
  const readCall = await crm.arrived(1);
  await answered(crm, writer(RENAME), named('New'));
  const second = reader(READ);
  answer(await crm.arrived(3), named('New'));
  answer(readCall, named('Old'));
  expect((await first).data).toEqual({ client: { name: 'Old' } });
  expect((await second).data).toEqual({ client: { name: 'New' } });

  expect((await reader(READ)).data).toEqual({ client: { name: 'New' } });
});

test('a write by one credential makes stale what others have read, from its begin on', async () => {
  const crm = await heldCrm();
  const [reader, writer] = [crm.as('reader'), crm.as('writer')];
  await answered(crm, reader(READ), named('Old'));
  expect((await reader(READ)).data).toEqual({ client: { name: 'Old' } });

  const writing = writer(RENAME);
  const call = await crm.arrived(2);
  expect(await answered(crm, reader(READ), named('During'))).toMatchObject({ data: { client: { name: 'During' } } });
  answer(call, named('New'));
  await writing;
  expect(await answered(crm, reader(READ), named('New'))).toMatchObject({ data: { client: { name: 'New' } } });
});

test.each([
  ['is refused', (call: Call | undefined) => answer(call, { errors: { name: ['is bad'] } }, 422)],
  ['fails', (call: Call | undefined) => answer(call, {}, 500)],
  ['has an unknown outcome', (call: Call | undefined) => void call?.response.destroy()],
])('a write that %s makes answers stale, too', async (_how, end) => {
  const crm = await heldCrm();
  const [reader, writer] = [crm.as('reader'), crm.as('writer')];
  await answered(crm, reader(READ), named('Old'));
  const writing = writer('mutation { deleteDeal(id: 5) { __typename } }');
  const written = crm.arrived(2);
  end(await written);
  const look = crm.calls.length; // a lost deletion is looked for once
  if (_how === 'has an unknown outcome') answer(await crm.arrived(look + 1), { id: 5 });
  await writing;
  expect(await answered(crm, reader(READ), named('New'))).toMatchObject({ data: { client: { name: 'New' } } });
});

test('what a write does not change stays', async () => {
  const crm = await heldCrm();
  await answered(crm, crm.as('reader')('{ contactList(id: 1) { name } }'), named('List'));
  await answered(crm, crm.as('writer')(RENAME), named('New'));
  expect((await crm.as('reader')('{ contactList(id: 1) { name } }')).data).toEqual({ contactList: { name: 'List' } });
});

test('the reads of a mutation call, and their answers are not kept', async () => {
  const crm = await heldCrm();
  const caller = crm.as('caller');
  await answered(crm, caller(READ), named('Old'));
  const creating = caller(
    'mutation { createContactList(name: "x") { ... on ContactList { name } } updateClient(id: 1, input: { name: "New" }) { ... on Client { email } } }',
  );
  answer(await crm.arrived(2), { id: 7, name: 'x' }, 201);
  answer(await crm.arrived(3), {}); // the response lacks the record, which is read
  answer(await crm.arrived(4), { ...named('New'), email: 'n@example.com' });
  expect((await creating).data).toMatchObject({ updateClient: { email: 'n@example.com' } });
  expect(crm.calls[3]?.name).toBe('GET /app/clients/1.json');
  expect(await answered(crm, caller(READ), named('Newer'))).toMatchObject({ data: { client: { name: 'Newer' } } });
});

import { expect, test } from 'vitest';
import { says } from '../support/stub-upstream.ts';
import { clientGatewayOver, clientUpstream, timeOf } from './client-upstream.ts';

// How a record is read and compared before it is changed.

const APPLIED = { __typename: 'Client', name: 'new' };

test.each([
  ['the same text', '2026-03-01T08:00:00Z', '2026-03-01T08:00:00Z', true],
  ['another zone', '2026-03-01T08:00:00Z', '2026-03-01T10:00:00+02:00', true],
  ['no zone on one side, which is UTC', '2026-03-01T08:00:00', '2026-03-01T08:00:00Z', true],
  ['a fraction of zeros', '2026-03-01T08:00:00Z', '2026-03-01T08:00:00.000Z', true],
  ['another form of upstream', '2026/03/01 10:00:00 +0200', '2026-03-01T08:00:00Z', true],
  ['seconds since 1970', 1_772_352_000, '2026-03-01T08:00:00Z', true],
  ['another second', '2026-03-01T08:00:01Z', '2026-03-01T08:00:00Z', false],
  ['another microsecond', '2026-03-01T08:00:00.000002Z', '2026-03-01T08:00:00.000001Z', false],
  ['the same digits in another zone', '2026-03-01T08:00:00+02:00', '2026-03-01T08:00:00Z', false],
])('instants are compared, not texts: %s', async (_name, stored, given, isSame) => {
  const upstream = await clientUpstream();
  upstream.clientOf('1').updated_at = stored;
  const { change } = await upstream.gateway();
  const { result } = await change('new', given);
  expect(result).toMatchObject(isSame ? APPLIED : { __typename: 'ConflictError', current: { name: 'first' } });
  expect(upstream.calls()).toEqual(isSame ? ['GET', 'PUT'] : ['GET']);
});

test.each([undefined, null, '', 'yesterday', {}])(
  'a record whose updated_at is %j is an error, and is not changed',
  async (stored) => {
    const upstream = await clientUpstream();
    upstream.clientOf('1').updated_at = stored;
    const { change } = await upstream.gateway();
    expect(await change('new', timeOf(0))).toMatchObject({
      result: null,
      error: { message: expect.stringMatching(/^Nothing was changed: .*`updated_at`.*`ifUpdatedAt`/) },
      outcome: 'REFUSED',
    });
    expect(upstream.calls()).toEqual(['GET']);
  },
);

test.each([
  ['answers 500', says('{}', { status: 500 }), 'UPSTREAM_UNAVAILABLE'],
  ['answers another record', says('{"id":2,"updated_at":"2026-03-01T08:00:00Z"}'), 'UPSTREAM_BAD_RESPONSE'],
  ['answers a web page', says('<html>', { headers: { 'content-type': 'text/html' } }), 'UPSTREAM_BAD_RESPONSE'],
])('when upstream %s to the read, the write is refused and not sent', async (_name, answer, code) => {
  const upstream = await clientUpstream();
  upstream.answerNext('GET', answer);
  const { change } = await upstream.gateway();
  const { error, outcome } = await change('new', timeOf(0));
  expect(error).toMatchObject({ message: expect.stringMatching(/^Nothing was changed: /), extensions: { code } });
  expect(outcome).toBe('REFUSED');
  expect(upstream.calls()).toEqual(['GET']);
});

test('a read that the operation has made, or a kept answer, is not taken for the record as it is', async () => {
  const { upstream, execute } = await clientGatewayOver({ CRM_CACHE_TTL_MS: 60_000 });
  const options = { headers: { 'x-crm-token': 'token' } };
  const read = '{ client(id: 1) { updatedAt } }';
  await execute(read, options);
  await execute(read, options);
  expect(upstream.calls()).toEqual(['GET']); // it is kept
  Object.assign(upstream.clientOf('1'), { name: 'of another caller', updated_at: timeOf(7) });
  const at = timeOf(0);
  const field = `updateClient(id: 1, input: { name: "new" }, ifUpdatedAt: "${at}") { __typename }`;
  const { data } = await execute(`mutation { a: ${field} b: ${field} }`, options);
  expect(data).toEqual({ a: { __typename: 'ConflictError' }, b: { __typename: 'ConflictError' } });
  expect(upstream.calls()).toEqual(['GET', 'GET', 'GET']);
});

test("upstream's own 409 is a ConflictError without a record", async () => {
  const upstream = await clientUpstream();
  upstream.answerNext('PUT', says('{"error":"conflict"}', { status: 409 }));
  const { change } = await upstream.gateway();
  expect((await change('new', timeOf(0))).result).toEqual({ __typename: 'ConflictError', current: null });
});

test('a conflict is refused: it stops a bulk mutation, which can be sent again', async () => {
  const { execute } = await clientGatewayOver();
  const item = (id: number, at: number) => `{ id: ${id}, input: { name: "new" }, ifUpdatedAt: "${timeOf(at)}" }`;
  const items = (onFailure: string) =>
    `mutation { updateClients(inputs: [${item(1, 0)}, ${item(2, 9)}, ${item(3, 0)}], onFailure: ${onFailure}) { __typename } }`;
  const typesOf = async (onFailure: string) => {
    const { data } = await execute(items(onFailure), { headers: { 'x-crm-token': 'token' } });
    return JSON.stringify(data)
      .match(/Client|\w+Error|NotAttempted/g)
      ?.slice(1);
  };
  expect(await typesOf('STOP')).toEqual(['Client', 'ConflictError', 'NotAttempted']);
  expect(await typesOf('CONTINUE')).toEqual(['ConflictError', 'ConflictError', 'Client']);
});

test('the calls of the read and of the write count in MAX_UPSTREAM_CALLS', async () => {
  const { upstream, change } = await clientGatewayOver({ MAX_UPSTREAM_CALLS: 1 });
  const { error, outcome } = await change('new', timeOf(0));
  expect(error).toMatchObject({ extensions: { code: 'QUERY_LIMIT_EXCEEDED' } });
  expect(outcome).toBe('REFUSED');
  expect(upstream.calls()).toEqual(['GET']);
});

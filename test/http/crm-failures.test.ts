import { describe, expect, test } from 'vitest';
import { HELD, heldDeadlines } from '../support/deadlines.ts';
import { gatewayOver } from '../support/gateway.ts';
import { recordingUpstream } from '../support/recorder.ts';
import { rawUpstream, says } from '../support/stub-upstream.ts';

// A CRM that fails: what becomes of a read, and of a write.

const CLIENTS = '{ clients { nodes { name } } }';
const RENAME = `mutation {
  updateClient(id: 1, input: { name: "x" }) { __typename ... on Client { name } ... on MutationError { message } }
}`;
const UNKNOWN_OUTCOME = /change was made is not known/;

const over = async (url: string, settings = {}) => gatewayOver(url, { CRM_URL: new URL(url), ...settings }, 'token');

describe('a list and a write', () => {
  test('truncated JSON: the list cannot be read, and the change was made', async () => {
    const upstream = await recordingUpstream(says('{"id":'));
    const { execute } = await over(upstream.url);
    expect((await execute(CLIENTS)).errors).toMatchObject([
      { message: expect.stringMatching(/broken or cut off/), extensions: { code: 'UPSTREAM_BAD_RESPONSE' } },
    ]);
    // The name cannot be read back, so it is the one that was sent.
    expect(await execute(RENAME)).toMatchObject({
      data: { updateClient: { __typename: 'Client', name: 'x' } },
      errors: [],
    });
    expect(upstream.requests.map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET']);
  });

  test('hanging: each is called once, and a record that is not found does not tell the outcome', async () => {
    const upstream = await recordingUpstream((request, response) => {
      if (request.url?.startsWith('/app/clients/1.json') && request.method === 'GET') {
        says('', { status: 404 })(request, response);
      }
    });
    const deadlines = heldDeadlines();
    const { execute } = await over(upstream.url, HELD);
    const failing = async (query: string, calls: number) => {
      const result = execute(query);
      await deadlines.comeWhen(1, () => upstream.requests.length, calls);
      return (await result).errors;
    };
    expect(await failing(CLIENTS, 1)).toMatchObject([
      { message: 'The crm API did not answer within 599 s.', extensions: { code: 'UPSTREAM_TIMEOUT' } },
    ]);
    expect(await failing(RENAME, 2)).toMatchObject([
      {
        message:
          'The crm API did not answer within 599 s. No such record was found. ' +
          'Whether the change was made is not known: read before you try again.',
        extensions: { code: 'UPSTREAM_TIMEOUT', outcome: 'UNKNOWN' },
      },
    ]);
    expect(upstream.requests.map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET']);
  });

  test('a connection that is closed: a read is tried twice, also the one after a write, and a write once', async () => {
    const upstream = await rawUpstream((socket) => socket.destroy());
    const { execute } = await over(upstream.url);
    await execute(CLIENTS);
    const [written] = (await execute(RENAME)).errors;
    expect(written?.message).toMatch(UNKNOWN_OUTCOME);
    expect(written?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', outcome: 'UNKNOWN' });
    expect(upstream.received.map((call) => call.split(' ', 1)[0])).toEqual(['GET', 'GET', 'PUT', 'GET', 'GET']);
  });
});

import { CombinedGraphQLErrors } from '@apollo/client';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { connect } from '../src/client.ts';
import { createClientDocument } from '../src/documents.ts';
import { outcomeOf } from '../src/outcomes.ts';
import { Session } from '../src/session.ts';

/** Sends all requests to the gateway of the tests. */
function redirectFetch() {
  const fetchNow = fetch;
  const redirected = vi.fn<typeof fetch>((_address, init) => fetchNow(inject('endpoint'), init));
  vi.stubGlobal('fetch', redirected);
  return redirected;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the cache keeps every field of a refusal, and Apollo Client warns of nothing', async () => {
  redirectFetch();
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const { data } = await connect(new Session('demo-admin')).mutate({
    mutation: createClientDocument,
    variables: { input: { name: '' } },
  });
  expect(data?.createClient).toMatchObject({
    __typename: 'ValidationError',
    message: "name: can't be blank",
    fields: [{ field: 'name', messages: ["can't be blank"] }],
  });
  expect(warn).not.toHaveBeenCalled();
});

describe('the outcome of a write', () => {
  const client = { __typename: 'Client', id: 'Client:1' } as const;
  const failed = (outcome: string) => {
    const error = { message: 'Upstream did not answer in time.', path: ['createClient'], extensions: { outcome } };
    return outcomeOf<typeof client>({ result: null, error: new CombinedGraphQLErrors({ errors: [error] }) });
  };

  test('is that of the record, of the refusal, or of the error', () => {
    expect(outcomeOf({ result: client, error: undefined })).toEqual({ outcome: 'APPLIED', record: client });
    const refusal = { __typename: 'ConflictError', message: 'Changed meanwhile.' } as const;
    expect(outcomeOf({ result: refusal, error: undefined })).toMatchObject({ outcome: 'REFUSED' });
    expect(failed('APPLIED')).toEqual({ outcome: 'APPLIED', record: null });
    expect(failed('REFUSED')).toMatchObject({ outcome: 'REFUSED' });
    expect(failed('UNKNOWN')).toMatchObject({ outcome: 'UNKNOWN' });
  });

  test('is unknown without an answer of the gateway', () => {
    expect(outcomeOf({ result: undefined, error: new TypeError('fetch failed') })).toMatchObject({
      outcome: 'UNKNOWN',
    });
  });
});

test('ten lines read the first clients from the default address', async () => {
  const asked = redirectFetch();
  const log = vi.spyOn(console, 'log').mockReturnValue();
  await import(new URL('../ten-lines.js', import.meta.url).href);
  expect(asked).toHaveBeenCalledExactlyOnceWith('http://127.0.0.1:4000/graphql', expect.anything());
  expect(log).toHaveBeenCalledWith(expect.objectContaining({ totalCount: expect.any(Number) as number }));
});

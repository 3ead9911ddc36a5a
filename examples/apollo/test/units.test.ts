import { connect } from 'trivium-kits/apollo';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { createClientDocument } from '../src/documents.ts';

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
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const client = connect({ url: inject('endpoint'), credentials: () => ({ token: 'demo-admin' }) });
  const { data } = await client.mutate({
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

test('ten lines read the first clients from the default address', async () => {
  const asked = redirectFetch();
  const log = vi.spyOn(console, 'log').mockReturnValue();
  await import(new URL('../ten-lines.js', import.meta.url).href);
  expect(asked).toHaveBeenCalledExactlyOnceWith('http://127.0.0.1:4000/graphql', expect.anything());
  expect(log).toHaveBeenCalledWith(expect.objectContaining({ totalCount: expect.any(Number) as number }));
});

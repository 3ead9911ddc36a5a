import { afterEach, expect, inject, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('ten lines read the first clients from the default address', async () => {
  const asked: string[] = [];
  const fetchNow = fetch;
  vi.stubGlobal('fetch', (url: string, options: RequestInit) => {
    asked.push(url);
    return fetchNow(inject('endpoint'), options);
  });
  const log = vi.spyOn(console, 'log').mockReturnValue();

  await import(new URL('../ten-lines.js', import.meta.url).href);

  expect(asked).toEqual(['http://127.0.0.1:4000/graphql']);
  expect(log).toHaveBeenCalledExactlyOnceWith(
    expect.arrayContaining([expect.objectContaining({ id: expect.stringMatching(/^Client:\d+$/) })]),
  );
});

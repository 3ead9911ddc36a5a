import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { HELD } from '../support/deadlines.ts';
import { next, partsOf, rest } from '../support/parts.ts';
import { ada, DEFERRED, FIRST, ME, slowForum } from './support.ts';

// A rejection that nobody handles fails the whole run: vitest watches for it.

const DASHBOARDS = '/toolkit/dashboards.json';

/** Waits for the log line of the one operation. */
async function logged({ url, logs }: { url: string; logs: readonly string[] }): Promise<unknown> {
  while (logs.length === 0) await fetch(`${url}/health`);
  return logs.map((line): unknown => JSON.parse(line));
}

describe('a caller who hangs up', () => {
  test.each(['multipart/mixed', 'text/event-stream'])(
    'behind the first part ends the operation: %s',
    async (accept) => {
      const gateway = await slowForum(HELD); // no deadline comes
      const hangUp = new AbortController();
      const response = await gateway.ask(DEFERRED, { headers: { accept }, signal: hangUp.signal });
      await response.body?.getReader().read();
      hangUp.abort();

      const line = { operation: 'Page', upstreamCalls: 2, errors: {} };
      expect(await logged(gateway)).toEqual([expect.objectContaining(line)]);
      let call: ServerResponse | undefined;
      await gateway.forum.answer(ME, (_request, open) => (call = open));
      // The forum never answers: its call is given up.
      if (call && !call.destroyed) await once(call, 'close');
      expect((await gateway.execute('{ apiTokens { name } }')).data).toEqual(FIRST.data);
    },
  );

  test('before the first part leaves a line in the log, too', async () => {
    const gateway = await slowForum();
    const hangUp = new AbortController();
    const query = 'query Early { dashboards { name } ... @defer { forumMe { login } } }';
    const answered = gateway.ask(query, { signal: hangUp.signal });
    let call: ServerResponse | undefined;
    await gateway.account.answer(DASHBOARDS, (_request, open) => (call = open));
    hangUp.abort();
    await expect(answered).rejects.toThrow('abort');
    await fetch(`${gateway.url}/health`); // behind which the gateway has noticed
    call?.end('[]');
    await gateway.forum.answer(ME, ada);
    expect(await logged(gateway)).toEqual([expect.objectContaining({ operation: 'Early', upstreamCalls: 2 })]);
  });
});

describe('the end of the gateway', () => {
  test('waits for an answer in parts', async () => {
    const { ask, forum, close, url } = await slowForum();
    const parts = partsOf(await ask(DEFERRED));
    expect(await next(parts)).toEqual(FIRST);
    let hasEnded = false;
    const ended = close().then(() => (hasEnded = true));
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
    expect(hasEnded).toBe(false);

    await forum.answer(ME, ada);
    expect(await rest(parts)).toMatchObject([{ data: { forumMe: { login: 'ada' } } }]);
    await ended;
  });

  test('cuts an answer in parts off after SHUTDOWN_TIMEOUT_MS, and logs it', async () => {
    const { ask, close, logs } = await slowForum({ SHUTDOWN_TIMEOUT_MS: 50 });
    const parts = partsOf(await ask(DEFERRED));
    expect(await next(parts)).toEqual(FIRST);
    await close();
    await expect(parts.next()).rejects.toThrow('terminated');
    await expect.poll(() => logs).toHaveLength(1);
  });
});

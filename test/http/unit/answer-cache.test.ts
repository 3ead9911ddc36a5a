import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { assert, expect, test, vi } from 'vitest';
import { AnswerCache, AnswerMemory } from '../../../src/http/session/answer-cache.ts';

/** Keeps an answer of so many bytes, whose body tells when it is looked at. */
function kept(bytes: number) {
  const cache = new AnswerCache<unknown>({ ttlMs: 60_000, pageMs: 0, idleMs: 60_000 }, new AnswerMemory(10 ** 9));
  const onLook = vi.fn<() => string>(() => 'Ada');
  const body = {
    get name() {
      return onLook();
    },
  };
  const call = { api: 'CRM', endpoint: 'GET /app/clients.json' };
  const generation = { own: 1, shared: 'b' };
  cache.keep('hash', '/app/clients.json', {
    parsed: { body, call },
    bytes,
    generation,
    readAt: performance.now(),
    validator: undefined,
  });
  return { cache, onLook };
}

test('a large answer is measured in a later turn of the event loop: nobody waits for it', async () => {
  const { cache, onLook } = kept(64 * 1024 + 1);
  const provisional = cache.counts.bytes;
  expect(onLook).not.toHaveBeenCalled();
  await turnOfTheLoop();
  expect(onLook).toHaveBeenCalledOnce();
  expect(cache.counts.bytes).toBeLessThan(provisional);
  cache.clear();
});

test('one that was renewed meanwhile is measured, too: its size is that of an answer that stays', async () => {
  const { cache, onLook } = kept(64 * 1024 + 1);
  const provisional = cache.counts.bytes;
  const answer = cache.find('hash', '/app/clients.json');
  assert(answer);
  const readAt = performance.now() + 1;
  cache.renew('hash', '/app/clients.json', answer, { generation: answer.generation, readAt });
  await turnOfTheLoop();
  expect(onLook).toHaveBeenCalledOnce();
  expect(cache.counts.bytes).toBeLessThan(provisional);
  expect(cache.counts.bytes).toBeGreaterThan(0);
  expect(cache.find('hash', '/app/clients.json')?.readAt).toBe(readAt);
  cache.clear();
});

test('one that is not kept any more is not measured: its body would stay in memory', async () => {
  const { cache, onLook } = kept(64 * 1024 + 1);
  cache.removeAll('hash');
  await turnOfTheLoop();
  await turnOfTheLoop();
  expect(onLook).not.toHaveBeenCalled();
  cache.clear();
});

test('a small one is measured at once', () => {
  const { cache, onLook } = kept(64 * 1024);
  expect(onLook).toHaveBeenCalledOnce();
  cache.clear();
});

import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { keyedHash } from '../../src/redis/redis.ts';
import { createLog } from '../../src/observe/log.ts';
import { AWAY, SharedStore } from '../../src/redis/shared-store.ts';
import { stoppedClock } from '../support/clock.ts';
import { heldTimers } from '../support/deadlines.ts';
import { tlsUpstream } from '../support/tls-upstream.ts';
import { PASSWORD, type RedisAddress, settingsOf, stubRedis, type StubRedis } from './stub-redis.ts';

async function openStore(redis: RedisAddress, settings: { REDIS_TIMEOUT_MS?: number } = {}) {
  const logs: string[] = [];
  const config = { ...readConfig({}), ...settingsOf(redis), ...settings };
  const address = config.REDIS_URL?.reveal();
  if (!address) throw new Error('There is no address.');
  const log = createLog('debug', { write: (line) => void logs.push(line) });
  const store = await SharedStore.open({ address, hash: keyedHash(config), log, timeoutMs: config.REDIS_TIMEOUT_MS });
  onTestFinished(() => store.close());
  return { store, logs, states: () => logs.filter((line) => line.includes('"redis":')) };
}

/** The time of an action, which passes when the test says so. No other timer is as long. */
const HELD = { REDIS_TIMEOUT_MS: 599_000 };

function heldActions() {
  const { begun, open, come } = heldTimers((_reach, ms) => ms === HELD.REDIS_TIMEOUT_MS);
  return {
    begun,
    open,
    /** Waits until this many actions have been sent without an answer, and lets their time pass. */
    late: async (actions: number) => {
      await expect.poll(open).toBe(actions);
      come(Infinity);
    },
    /** Lets the time of all actions pass at once. */
    pass: () => come(Infinity),
  };
}

const get = (store: SharedStore) => store.run((redis) => redis.get('key'));

/** Answers GET as the test says, and all other commands well. */
const forGet = (answer: (socket: Socket) => string | undefined) => (command: readonly string[], socket: Socket) =>
  command[0] === 'get' ? answer(socket) : '+OK\r\n';

const TRIAL_KEYS = ['trivium:trial:1', 'trivium:trial:2'];

test('commands are answered after the login, and nothing else is sent', async () => {
  const redis = await stubRedis(forGet(() => '$3\r\nabc\r\n'));
  const { store, states } = await openStore(redis);
  expect(await get(store)).toBe('abc');
  expect(store.state).toBe('ok');
  expect(states()).toHaveLength(1);
  expect(redis.commands).toEqual([
    ['auth', 'user', PASSWORD],
    ['select', '2'],
    ['mset', ...TRIAL_KEYS.flatMap((key) => [key, '1'])],
    ['eval', expect.stringContaining("redis.call('TIME')"), '2', ...TRIAL_KEYS],
    ['evalsha', expect.stringMatching(/^[0-9a-f]{40}$/), '2', ...TRIAL_KEYS],
    ['mget', ...TRIAL_KEYS],
    ['get', 'key'],
  ]);
});

test('a server that shares no cipher with us is logged with the alert of TLS', async () => {
  const { url } = await tlsUpstream({ ciphers: 'PSK', maxVersion: 'TLSv1.2' });
  const { states } = await openStore({ port: Number(new URL(url).port), protocol: 'rediss' });
  // OpenSSL's older name is SSLV3_ALERT, its newer one SSL/TLS_ALERT
  expect(states()).toEqual([expect.stringMatching(/"reason":"ERR_SSL_SSL.*_HANDSHAKE_FAILURE"/)]);
});

test('a key tells nothing of its name to those who do not have HASH_SECRET', async () => {
  const redis = await stubRedis();
  const { store } = await openStore(redis);
  expect(store.key('limit', 'token')).toMatch(/^trivium:limit:[\w-]{22}$/);
  expect(store.key('limit', 'token')).toBe(
    `trivium:limit:${keyedHash({ ...readConfig({}), ...settingsOf(redis) })('token')}`,
  );
  const other = keyedHash(readConfig({ HASH_SECRET: 'another secret of at least 32 characters' }));
  expect(store.key('limit', 'token')).not.toBe(`trivium:limit:${other('token')}`);
  expect(keyedHash(readConfig({}))('token')).not.toBe(keyedHash(readConfig({}))('token'));
});

test.each<[string, (redis: StubRedis) => unknown]>([
  ['refuses connections', (redis) => redis.stop()],
  ['hangs up at each command', (redis) => (redis.answer = (_command, socket) => void socket.destroy())],
  ['answers nothing', (redis) => (redis.answer = () => undefined)],
  ['speaks HTTP', (redis) => (redis.answer = () => 'HTTP/1.1 400 Bad Request\r\n\r\n')],
])('a Redis that %s is away from the start: the store opens, and an action costs nothing', async (_name, fail) => {
  const redis = await stubRedis();
  await fail(redis);
  const actions = heldActions();
  const { store, states, logs } = await openStore(redis, HELD);
  expect(store.state).toBe('away');
  for (let count = 0; count < 1_000; count++) expect(await get(store)).toBe(AWAY);
  expect(actions.begun()).toBeLessThanOrEqual(1); // that of the trial: nobody waits for an answer
  expect(redis.commands.filter(([name]) => name === 'get')).toEqual([]);
  expect(states()).toEqual([expect.stringContaining('"redis":"away"')]);
  expect(logs.join('')).not.toContain('canary');
});

const WRITES = ['mset', 'eval', 'evalsha'];

test.each<[string, readonly string[], string]>([
  ['WRONGPASS', ['auth'], '-WRONGPASS canary-password is not a password'],
  ['NOAUTH', [...WRITES, 'mget'], '-NOAUTH Authentication required.'],
  ['ERR', ['select'], '-ERR DB index is out of range'],
  ['READONLY', WRITES, '-READONLY You cannot write against a read only replica.'],
  ['LOADING', WRITES, '-LOADING Redis is loading the dataset'],
  ['OOM', WRITES, "-OOM command not allowed when used memory > 'maxmemory'."],
  ['NOPERM', ['mget'], "-NOPERM this user has no permissions to run the 'mget' command"],
  ['NOPERM', ['evalsha'], "-NOPERM this user has no permissions to run the 'evalsha' command"],
  ['NOPERM', ['eval'], "-ERR The user executing the script can't run this command or subcommand script: canary"],
  ['NOPERM', ['eval'], "-ERR ACL failure in script: User canary has no permissions to run the 'time' command"],
  ['MOVED', ['eval'], '-MOVED 3999 10.0.0.9:6381'],
  ['CROSSSLOT', ['eval', 'mget'], "-CROSSSLOT Keys in request don't hash to the same slot"],
  ['CROSSSLOT', ['select'], '-ERR SELECT is not allowed in cluster mode'],
  ['CLUSTERDOWN', [...WRITES, 'mget'], '-CLUSTERDOWN Hash slot not served'],
])(
  '%s, the answer to %j, is a refusal: a state with its reason, and an action costs nothing',
  async (reason, names, text) => {
    const redis = await stubRedis(([name = '']) => (names.includes(name) ? `${text}\r\n` : '+OK\r\n'));
    const { store, states, logs } = await openStore(redis);
    expect(store.report).toEqual({ redis: 'refusing', redisReason: reason });
    expect(await get(store)).toBe(AWAY);
    expect(redis.commands.filter(([name]) => name === 'get')).toEqual([]);
    expect(states().map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ redis: 'refusing', reason })]);
    expect(logs.join('')).not.toMatch(/canary|10\.0\.0\.9/);
    redis.answer = () => '+OK\r\n';
    await expect.poll(() => store.report).toEqual({ redis: 'ok' });
  },
);

test('a refusal for another reason is logged, too', async () => {
  const redis = await stubRedis(() => '-LOADING Redis is loading the dataset\r\n');
  const { states } = await openStore(redis);
  redis.answer = () => '-NOPERM this user has no permissions\r\n';
  await expect.poll(() => states().map((line) => JSON.parse(line).reason)).toEqual(['LOADING', 'NOPERM']);
});

test('the trial runs each command of the scripts', async () => {
  const redis = await stubRedis();
  await openStore(redis);
  const trial = redis.commands.find(([name]) => name === 'eval')?.[1] ?? '';
  const sources = await Promise.all(
    [
      'src/idempotency/scripts.ts',
      'src/calls/preconditions/redis-turns.ts',
      'node_modules/rate-limiter-flexible/lib/RateLimiterRedis.js',
    ].map((file) => readFile(file, 'utf8')),
  );
  const used = sources.flatMap((text) =>
    [...text.matchAll(/redis\.call\('(\w+)'/g)].map(([, name = '']) => name.toUpperCase()),
  );
  expect(used.length).toBeGreaterThan(20);
  expect([...new Set(used)].filter((name) => !trial.includes(`'${name}'`))).toEqual([]);
});

describe('a connection that was idle for a second and then ended', () => {
  async function idleStore() {
    const sockets: Socket[] = [];
    const held: (() => void)[] = [];
    let holds = false;
    const redis = await stubRedis((_command, socket) => {
      if (!sockets.includes(socket)) sockets.push(socket);
      if (holds) held.push(() => socket.write('+OK\r\n'));
      return holds ? undefined : '+OK\r\n';
    });
    const clock = stoppedClock();
    const opened = await openStore(redis);
    clock.pass(1_000);
    return {
      ...{ ...opened, redis, sockets, clock },
      hold: () => void (holds = true),
      answer: () => {
        holds = false;
        for (const write of held.splice(0)) write();
      },
    };
  }

  test.each<[string, (socket: Socket | undefined) => unknown]>([
    ['by its end', (socket) => socket?.end()],
    ['by a reset', (socket) => socket?.resetAndDestroy()],
  ])('%s is replaced, as often as it happens: Redis is not away', async (_name, end) => {
    const { store, states, sockets, clock } = await idleStore();
    for (const connections of [2, 3, 4]) {
      end(sockets.at(-1));
      await expect.poll(() => sockets).toHaveLength(connections);
      expect(await get(store)).toBe('OK');
      clock.pass(1_000);
    }
    expect(states()).toHaveLength(1);
  });

  test('is waited for: actions are sent over the next one', async () => {
    const { store, states, sockets, hold, answer, redis } = await idleStore();
    hold();
    sockets[0]?.end();
    await expect.poll(() => sockets).toHaveLength(2);
    const getting = Promise.all([get(store), get(store)]);
    expect(store.report).toEqual({ redis: 'ok' });
    expect(redis.commands.filter(([name]) => name === 'get')).toEqual([]);
    answer();
    expect(await getting).toEqual(['OK', 'OK']);
    expect(states()).toHaveLength(1);
  });

  test('and cannot be replaced is an outage, and so is one that ends again at once', async () => {
    const { store, states, redis, sockets } = await idleStore();
    redis.answer = (_command, socket) => void socket.destroy();
    sockets[0]?.end();
    await expect.poll(() => store.state).toBe('away');
    expect(await get(store)).toBe(AWAY);
    expect(states().map((line) => JSON.parse(line).redis)).toEqual(['ok', 'away']);
  });
});

/** That a store has seen its Redis go away is told once, and so is that it came back. */
async function expectBack(redis: StubRedis, { store, states }: Awaited<ReturnType<typeof openStore>>) {
  const results = await Promise.all(Array.from({ length: 100 }, () => get(store))); // in one turn: it is not tried again yet
  expect(new Set(results)).toEqual(new Set([AWAY]));
  await expect.poll(states).toContainEqual(expect.stringContaining('"redis":"away"'));
  redis.answer = forGet(() => '$4\r\nback\r\n');
  await expect.poll(() => get(store)).toBe('back');
  expect(store.state).toBe('ok');
  expect(states().map((line) => JSON.parse(line).redis)).toEqual(['ok', 'away', 'ok']);
}

test.each<[string, (socket: Socket) => string | undefined]>([
  ['hangs up', (socket) => void socket.destroy()],
  ['hangs up within an answer', (socket) => void socket.end('$10\r\nabc')],
  ['sends another protocol', () => '<html>\r\n'],
  ['sends more than it may', (socket) => endless(socket)],
])('a Redis that %s is away after one action, and is used again when it answers', async (_name, answer) => {
  const redis = await stubRedis(forGet(answer));
  const opened = await openStore(redis, HELD);
  expect(await get(opened.store)).toBe(AWAY);
  await expect.poll(() => opened.store.state).toBe('away');
  await expectBack(redis, opened);
});

describe('a Redis that answers late', () => {
  /** Answers GET with the number of the command: at once, or when `answer` is called. */
  function numbered(isLate: (number: number) => boolean) {
    const late: (() => void)[] = [];
    let number = 0;
    const reply = forGet((socket) => {
      number += 1;
      const text = `$1\r\n${number}\r\n`;
      if (!isLate(number)) return text;
      late.push(() => void socket.write(text));
      return undefined;
    });
    return { reply, answer: () => late.splice(0).forEach((write) => write()) };
  }

  test('costs one action its own result alone, and is not taken for that of the next one', async () => {
    const actions = heldActions();
    const { reply, answer } = numbered((number) => number === 1);
    const { store, states } = await openStore(await stubRedis(reply), HELD);
    const first = get(store);
    await actions.late(1);
    expect(await first).toBe(AWAY);
    expect(store.state).toBe('ok');
    answer();
    expect([await get(store), await get(store)]).toEqual(['2', '3']);
    expect(states()).toHaveLength(1);
  });

  test('to several actions at the same time has been late once', async () => {
    const actions = heldActions();
    const { store } = await openStore(await stubRedis(numbered((number) => number <= 20).reply), HELD);
    const results = Promise.all(Array.from({ length: 20 }, () => get(store)));
    await actions.late(20);
    expect(new Set(await results)).toEqual(new Set([AWAY]));
    expect(store.state).toBe('ok');
  });

  test.each(['at all', 'in time'])(
    'three times in a row is away, and is used again when it answers %s',
    async (how) => {
      const actions = heldActions();
      const { reply, answer } = numbered(() => true);
      const redis = await stubRedis(reply);
      const opened = await openStore(redis, HELD);
      for (const state of ['ok', 'ok', 'away']) {
        const getting = get(opened.store);
        await actions.late(1);
        expect(await getting).toBe(AWAY);
        expect(opened.store.state).toBe(state);
        if (how === 'in time' && state === 'ok') answer();
      }
      await expectBack(redis, opened);
    },
  );
});

test('the time of an action begins when its command is written', async () => {
  const actions = heldActions();
  const answers: ((text: string) => void)[] = [];
  const redis = await stubRedis(forGet((socket) => void answers.push((text) => void socket.write(text))));
  const { store } = await openStore(redis, HELD);
  const getting = get(store);
  expect(actions.open()).toBe(0); // work that follows in this turn keeps the process from writing, and takes no time of it
  await expect.poll(() => [actions.open(), answers.length]).toEqual([1, 1]);
  answers[0]?.('$4\r\nsoon\r\n');
  expect(await getting).toBe('soon');
});

/** Sends a value of 4 GB as fast as it is read. */
function endless(socket: Socket): undefined {
  const chunk = Buffer.alloc(1024 ** 2, 'a');
  const send = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.write('$4000000000\r\n');
  socket.on('drain', send);
  send();
}

test('an answer that does not end is given up after 16 MiB', async () => {
  const redis = await stubRedis(forGet((socket) => endless(socket)));
  const { store, states } = await openStore(redis, HELD);
  expect(await get(store)).toBe(AWAY);
  await expect.poll(() => states().at(-1)).toContain('"reason":"TOO_LARGE"');
});

test('a login that is not answered is given up, and tried again', async () => {
  const redis = await stubRedis(([name]) => (name === 'auth' ? undefined : '+OK\r\n'));
  const { store, states } = await openStore(redis, HELD);
  expect(states().at(-1)).toContain('"reason":"TIMEOUT"');
  redis.answer = () => '+OK\r\n';
  await expect.poll(() => store.report).toEqual({ redis: 'ok' });
});

test('an error of one key fails its action alone', async () => {
  const redis = await stubRedis(forGet(() => '-WRONGTYPE Operation against a key holding the wrong kind of value\r\n'));
  const { store, states, logs } = await openStore(redis);
  expect(await get(store)).toBe(AWAY);
  expect(redis.commands.filter(([name]) => name === 'mget')).toHaveLength(2); // it is tried
  expect(await store.run((client) => client.incr('other'))).toBe('OK');
  expect(store.state).toBe('ok');
  expect(states()).toHaveLength(1);
  expect(logs.join('')).toContain('WRONGTYPE');
});

test('a Redis that takes writes no more is away', async () => {
  const redis = await stubRedis();
  const { store, states } = await openStore(redis);
  redis.answer = () => '-READONLY You cannot write against a read only replica.\r\n';
  expect(await get(store)).toBe(AWAY);
  await expect.poll(() => states().at(-1)).toContain('READONLY');
  expect(store.state).toBe('away');
});

test('a Redis that sends an answer too many is away, and its text is not logged', async () => {
  const redis = await stubRedis(forGet(() => '+canary\r\n+canary\r\n'));
  const { store, states, logs } = await openStore(redis);
  await get(store);
  await expect.poll(() => states().at(-1)).toContain('"redis":"away"');
  expect(logs.join('')).not.toContain('canary');
});

test('an answer that came while the process was busy counts', async () => {
  const actions = heldActions();
  const answerAndPass = (socket: Socket) => {
    socket.write('$4\r\nlate\r\n');
    actions.pass();
    return undefined;
  };
  const { store } = await openStore(await stubRedis(forGet(answerAndPass)), HELD);
  expect(await get(store)).toBe('late');
  expect(store.state).toBe('ok');
});

test('after its end all results are away, and no connection is left', async () => {
  const { store } = await openStore(await stubRedis());
  await store.close();
  expect(await get(store)).toBe(AWAY);
  expect(store.state).toBe('away');
});

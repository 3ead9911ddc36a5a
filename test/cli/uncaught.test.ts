import { describe, expect, test } from 'vitest';
import { heldUpstream, says } from '../support/stub-upstream.ts';
import { running } from './trivium.ts';

const TOKENS = '/account/api_tokens.json';

/** An option of Node for a module that runs before the gateway and raises an error at SIGUSR2. */
function raising(code: string): Readonly<Record<string, string>> {
  const source = `process.on('SIGUSR2', () => { ${code} });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
}

/** A free port, and a grace period of 250 ms. */
const QUICK_END = { PORT: '0', SHUTDOWN_TIMEOUT_MS: '1000' };

async function started(env: Readonly<Record<string, string>>, url: string) {
  const gateway = await running(['serve'], /http\S+\/graphql[^]*\n$/, {
    env: { ...QUICK_END, ACCOUNT_URL: url, ...env },
  });
  const endpoint = /http\S+\/graphql/.exec(gateway.banner)?.[0] ?? '';
  const ask = async () => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
      body: '{"query":"{ apiTokens { upstreamId } }"}',
    });
    return response.json();
  };
  return { ...gateway, ask };
}

const uncaught = (stderr: string) => stderr.split('\n').filter((line) => line.includes('uncaught error'));

describe.each([
  ['a rejection that nobody handles', `Promise.reject(new Error('stray'))`],
  ['an exception that nobody catches', `setImmediate(() => { throw new Error('stray'); })`],
])('%s', (_name, code) => {
  test('is logged once with its stack, the requests in flight are answered, and the exit code is 1', async () => {
    const upstream = await heldUpstream(says('[{"id":1}]'), TOKENS);
    const { ask, pid, logged, ended } = await started(raising(code), upstream.url);
    const inFlight = ask();
    await upstream.answer(TOKENS, async (request, response) => {
      process.kill(pid, 'SIGUSR2');
      await logged(/uncaught error/);
      says('[{"id":1}]')(request, response);
    });

    expect(await inFlight).toEqual({ data: { apiTokens: [{ upstreamId: '1' }] } });
    const { code: exitCode, stderr } = await ended;
    expect(exitCode).toBe(1);
    const [line = '', ...others] = uncaught(stderr);
    expect(JSON.parse(line)).toMatchObject({ level: 60, stack: expect.stringMatching(/^Error: stray\n +at /) });
    expect(others).toEqual([]);
  });

  test('in the primary of workers ends all of them, with the exit code 1', async () => {
    const upstream = await heldUpstream(says('[{"id":1}]'), TOKENS);
    const { pid, ended } = await started({ ...raising(code), WORKERS: '2' }, upstream.url);
    process.kill(pid, 'SIGUSR2');
    const { code: exitCode, stderr } = await ended;
    expect(exitCode).toBe(1);
    expect(uncaught(stderr)).toHaveLength(1);
  });
});

test('an error that a worker does not handle ends it with 1, and the worker is replaced', async () => {
  const upstream = await heldUpstream(says('[{"id":1}]'));
  const env = { ...raising(`Promise.reject(new Error('stray'))`), WORKERS: '2' };
  const { ask, signal, logged, ended } = await started(env, upstream.url);
  const [first = ''] = await logged(/worker listens/);
  process.kill(JSON.parse(first).process, 'SIGUSR2');

  await logged(/"code":1,"signal":null,"msg":"worker ended"/);
  await logged(/worker listens/, 3);
  expect(await ask()).toEqual({ data: { apiTokens: [{ upstreamId: '1' }] } });
  signal('SIGTERM');
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(uncaught(stderr)).toHaveLength(1);
});

test('a value that is no error is logged without the value', async () => {
  const upstream = await heldUpstream(says('[]'), TOKENS);
  const { pid, ended } = await started(raising(`Promise.reject({ password: 'canary-1' })`), upstream.url);
  process.kill(pid, 'SIGUSR2');
  const { stderr } = await ended;
  expect(uncaught(stderr)).toHaveLength(1);
  expect(stderr).not.toContain('canary-1');
});

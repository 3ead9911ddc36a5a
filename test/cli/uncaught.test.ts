import { expect, test } from 'vitest';
import { DEAD_ADDRESS, heldUpstream, says } from '../support/stub-upstream.ts';
import { serving } from './trivium.ts';

const TOKENS = '/account/api_tokens.json';

/** An option of Node for a module that runs before the gateway and raises an error at SIGUSR2. */
function raising(code: string): Readonly<Record<string, string>> {
  const source = `process.on('SIGUSR2', () => { ${code} });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
}

const uncaught = (stderr: string) => stderr.split('\n').filter((line) => line.includes('uncaught error'));

test.each([
  ['a rejection that nobody handles', `Promise.reject(new Error('stray'))`],
  ['an exception that nobody catches', `setImmediate(() => { throw new Error('stray'); })`],
])('%s is logged once with its stack, requests in flight are answered, and the exit code is 1', async (_name, code) => {
  const upstream = await heldUpstream(says('[{"id":1}]'), TOKENS);
  const { ask, pid, logged, ended } = await serving({ ...raising(code), ACCOUNT_URL: upstream.url });
  const inFlight = ask('{ apiTokens { upstreamId } }');
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

test('a value that is no error is not logged', async () => {
  const { pid, ended } = await serving({
    ...raising(`Promise.reject({ password: 'canary-1' })`),
    ACCOUNT_URL: DEAD_ADDRESS,
  });
  process.kill(pid, 'SIGUSR2');
  const { code, stderr } = await ended;
  expect(code).toBe(1);
  expect(uncaught(stderr)).toHaveLength(1);
  expect(stderr).not.toContain('canary-1');
});

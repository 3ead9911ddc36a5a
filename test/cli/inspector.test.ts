import { expect, test } from 'vitest';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';
import { running, serving } from './trivium.ts';

/** The inspector of a process that opens one listens on a free port. */
const FREE_PORT = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' };

const LISTENS = /Debugger listening/;

test('SIGUSR1 opens no inspector of the gateway', async () => {
  const { pid, ask, end } = await serving({ ...FREE_PORT, ACCOUNT_URL: DEAD_ADDRESS });
  process.kill(pid, 'SIGUSR1');
  expect(await ask('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
  expect(await end()).toMatchObject({ code: 0, stderr: expect.not.stringMatching(LISTENS) });
});

test('SIGUSR1 opens no inspector of the sandbox', async () => {
  const { pid, signal, ended } = await running(['sandbox', '--port', '0'], /forum at/, { env: FREE_PORT });
  process.kill(pid, 'SIGUSR1');
  signal('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stderr: expect.not.stringMatching(LISTENS) });
});

test('a process that was started with an inspector has it, also after SIGUSR1', async () => {
  const { pid, logged, ask, end } = await serving({ NODE_OPTIONS: '--inspect=127.0.0.1:0', ACCOUNT_URL: DEAD_ADDRESS });
  await logged(LISTENS);
  process.kill(pid, 'SIGUSR1');
  expect(await ask('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
  expect(await end()).toMatchObject({ code: 0 });
});

import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KeptConnection, type Tally } from '../cli/load.ts';
import { testCertificate } from '../support/certificates.ts';
import { pemFiles } from '../support/pem-files.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { isRunning, runningWorkers, status } from './support.ts';

// SIGHUP restarts the workers in turn.

const TOKENS = '{ apiTokens { upstreamId } }';
const file = pemFiles();

/** The load shall not slow the start of workers. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

test('SIGHUP replaces all workers under load, without a failed request; a second one is heard when the first is done', async () => {
  const upstream = await stubUpstream(says('[{"id":1}]'));
  // Under load the grace period of each worker, here a second, passes.
  const gateway = await runningWorkers({ ACCOUNT_URL: upstream.url, SHUTDOWN_TIMEOUT_MS: '4000' }); // X
  const { endpoint } = gateway;
  const before = await gateway.processes(2);
  const tally: Tally = { sent: 0, answered: 0, told: 0, others: [] };
  const load = new AbortController();
  const { signal: done } = load;
  const callers = Array.from({ length: 6 }, async (_none, index) => {
    let connection = await KeptConnection.open(endpoint, TOKENS, tally);
    while (!done.aborted) {
      const mayStay = await connection.ask();
      await pause();
      const isKept = index % 2 === 0;
      if (!mayStay || !isKept) {
        connection.close();
        connection = await KeptConnection.open(endpoint, TOKENS, tally);
      }
    }
    connection.close();
  });
  const readiness: number[] = [];
  const ready = async () => {
    for (; !done.aborted; await pause()) readiness.push(await status(gateway.at('/ready')));
  };
  const asked = ready();

  gateway.signal('SIGHUP');
  await gateway.logged(/"msg":"workers are restarted in turn"/);
  for (const { process: pid } of before) process.kill(pid, 'SIGHUP'); // as a service manager signals all processes
  gateway.signal('SIGHUP');
  gateway.signal('SIGHUP');
  await gateway.logged(/"msg":"all workers were restarted"/, 2);
  load.abort();
  await Promise.all([...callers, asked]);

  expect(tally).toMatchObject({ answered: tally.sent, others: [] });
  expect(new Set(readiness)).toEqual(new Set([200]));
  const processes = await gateway.processes(6);
  expect(processes.map(({ worker }) => worker).sort()).toEqual([1, 1, 1, 2, 2, 2]);
  expect(processes.filter(({ process: pid }) => isRunning(pid))).toEqual(processes.slice(-2));
  expect(await gateway.end()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('"msg":"worker ended"') });
});

test('a new worker that cannot start leaves all as they are; SIGTERM during a restart ends the gateway', async () => {
  const { cert, key } = testCertificate();
  const env = { TLS_CERT: file(cert), TLS_KEY: file(key) };
  const gateway = await runningWorkers({ ...env, ACCOUNT_URL: 'http://127.0.0.1:1' });
  expect(gateway.banner).toContain('https://');
  const before = await gateway.processes(2);
  writeFileSync(env.TLS_CERT, 'canary');
  gateway.signal('SIGHUP');
  await gateway.logged(/"level":50.*"worker":1,.*"code":2,.*"msg":"a new worker cannot start: the others stay"/);
  for (const { process: pid } of before) expect(isRunning(pid)).toBe(true);

  writeFileSync(env.TLS_CERT, cert);
  gateway.signal('SIGHUP');
  await gateway.logged(/"msg":"workers are restarted in turn"/, 2);
  const { code, stderr } = await gateway.end();
  expect(code).toBe(0);
  expect(stderr.split('\n').filter((line) => !line.startsWith('{'))).toEqual([
    'TLS_CERT names a file without a certificate in PEM.',
    '',
  ]);
  for (const { process: pid } of await gateway.processes(2)) expect(isRunning(pid)).toBe(false);
});

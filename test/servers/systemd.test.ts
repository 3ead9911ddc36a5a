import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig, settings } from '../../src/config.ts';
import { ended, running, temporaryFolder } from '../cli/trivium.ts';
import { CONFIG, dealsUpstream } from './replicas-support.ts';
import { freePort } from './support.ts';

// deploy/systemd/trivium@.service. No systemd runs here: its own program reads the unit, and its commands are run without it.

const NAME = 'trivium@.service';
const unit = readFileSync(`deploy/systemd/${NAME}`, 'utf8');

/** The value of an option, for the instance of this port. */
const option = (name: string, port = 4001) =>
  (new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '').replaceAll('%i', String(port));

const environment = (port?: number) =>
  Object.fromEntries(
    option('Environment', port)
      .split(' ')
      .map((each) => /^(\w+)=(.+)$/.exec(each)?.slice(1) ?? []),
  ) as Readonly<Record<string, string>>;

/** Lets systemd-analyze read the unit, with the program and the folder of this machine. */
async function analyze(args: readonly string[], change = (text: string) => text) {
  const file = join(await temporaryFolder(), NAME);
  const here = unit.replaceAll('/usr/bin/node', process.execPath).replaceAll('/opt/trivium', process.cwd());
  await writeFile(file, change(here));
  return spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' });
}

test('systemd finds nothing to say about the unit', async () => {
  expect(await analyze(['verify'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const misspelled = await analyze(['verify'], (text) => text.replace('ProtectSystem', 'ProtectSytem'));
  expect(misspelled.stderr).toContain('ProtectSytem');
});

test('systemd finds that the process may do little: 2.0 of 10 at most', async () => {
  expect(await analyze(['security', '--offline=true', '--threshold=20'])).toMatchObject({ status: 0 });
});

test('its settings exist, and the instances are the servers of the file for HAProxy', () => {
  const names = Object.keys(environment());
  expect(names.filter((name) => name !== 'NODE_ENV' && !Object.hasOwn(settings, name))).toEqual([]);
  const ports = [...readFileSync(CONFIG, 'utf8').matchAll(/^ +server \w+ (\S+):(\d+)$/gm)];
  for (const [, host, port] of ports) {
    const { HOST, PORT, METRICS_PORT } = readConfig(environment(Number(port)));
    expect([HOST, PORT, METRICS_PORT]).toEqual([host, Number(port), 10_000 + Number(port)]);
  }
  expect(ports).toHaveLength(3);
});

test('systemd waits for two seconds longer than the gateway takes to end', () => {
  const { SHUTDOWN_TIMEOUT_MS } = readConfig(environment());
  expect(Number(option('TimeoutStopSec'))).toBe(SHUTDOWN_TIMEOUT_MS / 1_000 + 2);
});

test('its commands start an instance, tell when it is ready, and when it has ended', async () => {
  const { url: crm } = await dealsUpstream();
  const port = await freePort();
  const env = { ...environment(port), METRICS_PORT: '', CRM_URL: crm };
  expect(option('ExecStart')).toBe('/usr/bin/node dist/main.js serve');
  const [, script = ''] = /^\/bin\/sh -c '(.*)'$/.exec(option('ExecStartPost')) ?? [];
  const post = (pid: number) =>
    ended('/bin/sh', ['-c', script.replace('/usr/bin/node', process.execPath)], {
      env: { ...env, MAINPID: String(pid) },
    });

  const gateway = await running(['serve'], /\/graphql/, { env });
  expect((await post(gateway.pid)).code).toBe(0);
  expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
  gateway.signal('SIGTERM');
  expect((await gateway.ended).code).toBe(0);
  expect((await post(gateway.pid)).code).toBe(1);
});

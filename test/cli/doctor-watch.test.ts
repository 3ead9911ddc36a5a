import type { RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { doctor } from '../../src/cli/doctor.ts';
import { watchUpstreams } from '../../src/cli/doctor-watch.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { inProcess } from './in-process.ts';
import { running } from './trivium.ts';

const TIME = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  `;

const well = says('[{"id":1}]');
const broken = says('canary-body', { status: 503 });

/** Watches a CRM that answers as it is told, and tells how often it was asked. */
async function watched() {
  let answer: RequestListener = well;
  const crm = await stubUpstream((request, response) => answer(request, response));
  const config = readConfig({ CRM_URL: crm.url, CRM_TOKEN: 'canary-token' });
  const lines: string[] = [];
  const ending = new AbortController();
  const ended = watchUpstreams({
    check: () => doctor(config, ending.signal),
    intervalMs: 5,
    end: ending.signal,
    print: (line) => void lines.push(line),
  });
  onTestFinished(async () => {
    ending.abort();
    await ended;
  });
  /** Lets the API answer so for some rounds. */
  const rounds = async (next: RequestListener, count = 3) => {
    answer = next;
    const before = crm.received.length;
    await expect.poll(() => crm.received.length).toBeGreaterThan(before + count);
  };
  return { lines, crm, rounds, end: () => ending.abort(), ended };
}

describe('doctor --watch', () => {
  test('prints an API that goes away and comes back, each once, with times', async () => {
    const { lines, rounds, crm } = await watched();
    await rounds(well);
    await rounds(says('[{"id":1},{"id":2}]')); // another count is no change
    await rounds(broken);
    await rounds(says('<html>'));
    await rounds(well);
    expect(lines).toEqual([
      expect.stringMatching(`${TIME}ok    crm: answers; deals: 1\\.$`),
      expect.stringMatching(`${TIME}FAIL  crm: .*status 503.* It answered for \\d+ s\\.$`),
      expect.stringMatching(`${TIME}FAIL  crm: .*HTML.*CRM_URL[^.]*\\.?$`),
      expect.stringMatching(`${TIME}ok    crm: answers; deals: 1\\. It failed for \\d+ s\\.$`),
    ]);
    expect(lines.join()).not.toContain('canary');
    expect(new Set(crm.received)).toEqual(new Set(['GET /app/deals.json?api_token=canary-token']));
  });

  test('calls an API that limits rates no earlier than it asks', async () => {
    const { lines, rounds, crm } = await watched();
    await rounds(well);
    await rounds(says('', { status: 429, headers: { 'retry-after': '120' } }), 0);
    await expect.poll(() => lines.length).toBe(2);
    const received = crm.received.length;
    await (await watched()).rounds(well, 10); // of an API without a limit
    expect(crm.received).toHaveLength(received);
  });

  test('ends in the midst of a call that hangs', async () => {
    const { lines, rounds, end, ended } = await watched();
    await rounds(() => {}, 0);
    const printed = lines.length;
    end();
    await ended;
    expect(lines).toHaveLength(printed);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('ends with exit code 0 at %s', async (signal) => {
    const crm = await stubUpstream(well);
    const env = { CRM_URL: crm.url, CRM_TOKEN: 'canary-token' };
    const watching = await running(['doctor', '--watch', '--interval', '1'], /ok {4}crm: answers/, { env });
    watching.signal(signal);
    const { code, stdout, stderr } = await watching.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`${TIME}ok    crm: answers; deals: 1\\.\\n$`));
  });

  test.each([
    ['without --watch', ['--interval', '5']],
    ['of nothing', ['--watch', '--interval', '0']],
    ['that is no number', ['--watch', '--interval', 'canary']],
  ])('takes no interval %s', async (_name, args) => {
    const { code, stdout, stderr } = await inProcess(['doctor', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^--interval [^\n]*\.\n$/);
    expect(stderr).not.toContain('canary');
  });
});

import dns from 'node:dns';
import { expect, onTestFinished, test, vi } from 'vitest';
import { stoppedClock } from '../support/clock.ts';
import { gatewayOver } from '../support/gateway.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

// A process, or a machine, without a file left for a connection to upstream: that is a failure of the gateway.

const READ = '{ apiTokens { upstreamId } }';
const WRITE = 'mutation { enableDashboards { __typename } }';

/** A gateway over the host `api.test`, to which no connection can be made for lack of files until `freed` is called. */
async function withoutFiles(code: string) {
  const upstream = await stubUpstream((_request, response) => void response.end('[{"id":1}]'));
  let isFull = true;
  const { lookup } = dns;
  const resolve = (name: unknown, ...rest: unknown[]): void => {
    const done = rest.at(-1);
    if (name !== 'api.test') Reflect.apply(lookup, dns, [name, ...rest]);
    else if (!isFull) Reflect.apply(lookup, dns, ['127.0.0.1', ...rest]);
    else if (typeof done === 'function')
      setImmediate(() => done(Object.assign(new Error(`connect ${code}`), { code })));
  };
  const mock = vi
    .spyOn(dns, 'lookup')
    .mockImplementation(Object.assign(resolve, { __promisify__: lookup.__promisify__ }));
  onTestFinished(() => void mock.mockRestore());
  const gateway = await gatewayOver(upstream.url.replace('127.0.0.1', 'api.test'), {}, 'token');
  const warnings = () => gateway.logs.filter((line) => line.includes('too many open files'));
  return { ...gateway, warnings, received: upstream.received, freed: () => void (isFull = false) };
}

test.each(['EMFILE', 'ENFILE'])('%s is OVERLOADED, and a write is REFUSED', async (code) => {
  const { execute, received } = await withoutFiles(code);
  const upstream = { api: 'account', endpoint: 'GET /account/api_tokens.json' };
  expect(await execute(READ)).toMatchObject({
    data: { apiTokens: null },
    errors: [
      {
        message: `The gateway has too many open files to call the account API (${code}): raise its limit on open files, see ulimit -n.`,
        extensions: { code: 'OVERLOADED', upstream },
      },
    ],
  });
  const { errors } = await execute(WRITE);
  expect(errors).toMatchObject([{ extensions: { code: 'OVERLOADED', outcome: 'REFUSED' } }]);
  expect(received).toEqual([]);
});

test.each(['EMFILE', 'ENFILE'])('%s never counts as a failure of upstream', async (code) => {
  const { execute, freed, url, logs } = await withoutFiles(code);
  for (let again = 0; again < 30; again += 1) await execute(again % 2 === 0 ? READ : WRITE);
  expect(await (await fetch(`${url}/ready`)).text()).not.toContain('open');
  expect(logs.join('')).not.toContain('upstream fails');
  freed();
  expect(await execute(READ)).toMatchObject({ data: { apiTokens: [{ upstreamId: '1' }] }, errors: [] });
});

test('it is logged once a minute', async () => {
  const { pass } = stoppedClock();
  const { execute, warnings } = await withoutFiles('EMFILE');
  for (let again = 0; again < 5; again += 1) await execute(READ);
  expect(warnings()).toHaveLength(1);
  expect(JSON.parse(warnings()[0] ?? '')).toMatchObject({
    level: 40,
    api: 'account',
    reason: expect.stringMatching('ulimit -n'),
  });
  pass(60_000);
  await execute(READ);
  expect(warnings()).toHaveLength(2);
});

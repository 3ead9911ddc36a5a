import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { doctor } from '../../src/cli/doctor.ts';
import { recordingUpstream } from '../support/recorder.ts';
import { freshSandbox } from '../support/sandbox.ts';
import { DEAD_ADDRESS, says, stubUpstream } from '../support/stub-upstream.ts';
import { inProcess } from './in-process.ts';
import { trivium } from './trivium.ts';

type Env = Readonly<Record<string, string>>;

const command = (env: Env = {}) => inProcess(['doctor'], { env });

/** Runs the command with these settings and returns its findings. */
const found = async (env: Env) => doctor(readConfig(env));
const ok = (api: string, text: RegExp | string) => ({ api, ok: true, text: expect.stringMatching(text) });
const failed = (api: string, text: RegExp | string) => ({ api, ok: false, text: expect.stringMatching(text) });

describe('doctor', () => {
  test('has nothing to try without an address', async () => {
    const { code, stdout, stderr } = await command();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*set ACCOUNT_URL or CRM_URL, and API_TOKEN\.\n$/);
  });

  test.each([
    ['that answers', async () => (await freshSandbox()).sandbox.urls.account, /answers\. Set API_TOKEN/],
    ['that does not', async () => DEAD_ADDRESS, /refuses connections/],
  ])('tries an address %s without a token too', async (_name, address, words) => {
    expect(await found({ ACCOUNT_URL: await address() })).toEqual([failed('account', words), failed('flex', words)]);
  });

  test('says that all is well', async () => {
    const { sandbox } = await freshSandbox({ demo: true });
    const env = { ACCOUNT_URL: sandbox.urls.account, API_TOKEN: 'demo-admin' };
    const { code, stdout, stderr } = await trivium(['doctor'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^ok {4}account: answers; tokens of the caller: \d+\.\nok {4}flex: answers; databases: [1-9]\d*\.\n$/,
    );
    expect(new Set(sandbox.calls())).toEqual(new Set(['GET /account/api_tokens.json', 'GET /flex/dbs.json']));
  });

  test('tries the flex API alone where only that has an address', async () => {
    const { sandbox } = await freshSandbox({ demo: true, origins: 'own' });
    expect(await found({ FLEX_URL: sandbox.urls.flex, API_TOKEN: 'demo-admin' })).toEqual([ok('flex', 'answers')]);
    expect(sandbox.calls()).toEqual(['GET /flex/dbs.json']);
  });

  test('one API that is down fails the whole, and is told from the other', async () => {
    const { sandbox } = await freshSandbox({ demo: true, origins: 'own' });
    const env = { ACCOUNT_URL: sandbox.urls.account, FLEX_URL: DEAD_ADDRESS, API_TOKEN: 'demo-admin' };
    const { code, stdout } = await command(env);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok {4}account: [^\n]+\nFAIL {2}flex: [^\n]*refuses connections[^\n]*FLEX_URL[^\n]*\n$/);
  });

  const html = says('<html>', { headers: { 'content-type': 'text/html' } });
  test.each([
    ['a refused connection', async () => DEAD_ADDRESS, /refuses connections: is the address in ACCOUNT_URL right\?/],
    [
      'a name that does not resolve',
      async () => `http://${'x'.repeat(64)}.invalid`,
      /does not resolve: see ACCOUNT_URL/,
    ],
    ['no TLS', async () => (await stubUpstream(html)).url.replace('http', 'https'), /does not speak TLS/],
    ['a wrong token', async () => (await freshSandbox()).sandbox.urls.account, /ACCOUNT_URL is right; is API_TOKEN\?/],
    ['a web page', async () => (await stubUpstream(html)).url, /HTML.*is the address in ACCOUNT_URL right\?/],
    [
      'a wrong path',
      async () => (await stubUpstream(says('', { status: 404 }))).url,
      /has nothing at GET [^\n]*ACCOUNT_URL right\?/,
    ],
    ['an outage', async () => (await stubUpstream(says('', { status: 503 }))).url, /status 503/],
  ])('says in words what is wrong: %s', async (_name, address, words) => {
    const findings = await found({ ACCOUNT_URL: await address(), API_TOKEN: 'canary-3f9c' });
    expect(findings).toEqual([failed('account', words), failed('flex', words)]);
    expect(JSON.stringify(findings)).not.toContain('canary');
  });

  test('a token that could not be sent is told apart from one that was refused', async () => {
    const upstream = await stubUpstream(html);
    const findings = await found({ ACCOUNT_URL: upstream.url, API_TOKEN: 'canary 3f9c' });
    expect(findings).toEqual([failed('account', /API_TOKEN/), failed('flex', /API_TOKEN/)]);
    expect(JSON.stringify(findings)).not.toMatch(/ACCOUNT_URL is right|canary/); // nothing was asked of that address
    expect(upstream.received).toEqual([]);
  });
});

describe('doctor tries the CRM', () => {
  test('with a token of its own, which no other API sees', async () => {
    const crm = await recordingUpstream(says('[{"id":1},{"id":2}]'));
    const account = await recordingUpstream(says('[]'));
    const env = { ACCOUNT_URL: account.url, CRM_URL: crm.url, API_TOKEN: 'api-token', CRM_TOKEN: 'crm/token' };
    expect((await found(env))[2]).toEqual({ api: 'crm', ok: true, text: 'answers; deals: 2.' });
    expect(crm.received).toEqual(['GET /app/deals.json?api_token=crm%2Ftoken']);
    expect(JSON.stringify(crm.requests)).not.toContain('api-token');
    expect(JSON.stringify(account.requests)).not.toMatch(/crm.*token/);
  });

  test.each([
    ['on one origin', {}],
    ['on another, where a setting says so', { CRM_SHARES_TOKEN: 'true' }],
  ])('with API_TOKEN, %s', async (_name, settings) => {
    const upstream = await recordingUpstream(says('[]'));
    const address =
      'CRM_SHARES_TOKEN' in settings ? { CRM_URL: upstream.url } : { ACCOUNT_URL: upstream.url, CRM_URL: upstream.url };
    const findings = await found({ ...address, ...settings, API_TOKEN: 'api-token' });
    expect(findings.at(-1)).toEqual({ api: 'crm', ok: true, text: 'answers; deals: 0.' });
    expect(findings.every(({ ok }) => ok)).toBe(true);
    expect(upstream.received).toContain('GET /app/deals.json?api_token=api-token');
  });

  test('without one where API_TOKEN is not shared, and says which to set', async () => {
    const crm = await recordingUpstream(says('{"error":"login_required"}', { status: 401 }));
    const { code, stdout } = await command({ CRM_URL: crm.url, API_TOKEN: 'api-token' });
    expect(code).toBe(1);
    expect(stdout).toBe(
      'FAIL  crm: The address in CRM_URL answers. API_TOKEN is not sent there: set CRM_TOKEN, or CRM_SHARES_TOKEN=true ' +
        'where it serves the CRM, too.\n',
    );
    expect(JSON.stringify(crm.requests)).not.toContain('api-token');
  });

  test.each([{}, { CRM_SHARES_TOKEN: 'true' }])('without any token, and says which to set: %j', async (settings) => {
    const crm = await stubUpstream(says('{"error":"login_required"}', { status: 401 }));
    const setting = 'CRM_SHARES_TOKEN' in settings ? 'API_TOKEN' : 'CRM_TOKEN';
    const text = `The address in CRM_URL answers. Set ${setting} to try a token with it.`;
    expect(await found({ CRM_URL: crm.url, ...settings })).toEqual([{ api: 'crm', ok: false, text }]);
  });

  test.each([
    ['CRM_TOKEN', { CRM_TOKEN: 'canary-1' }],
    ['API_TOKEN', { API_TOKEN: 'canary-1', CRM_SHARES_TOKEN: 'true' }],
  ])('and names %s where that is refused', async (name, env) => {
    const crm = await stubUpstream(says('{"error":"login_required: canary-1"}', { status: 401 }));
    const findings = await found({ CRM_URL: crm.url, ...env });
    expect(findings).toEqual([failed('crm', `refused.* The address in CRM_URL is right; is ${name}\\?$`)]);
    expect(JSON.stringify(findings)).not.toContain('canary');
  });

  test('a token that could not be sent is told apart', async () => {
    const crm = await stubUpstream(says('[]'));
    const findings = await found({ CRM_URL: crm.url, CRM_TOKEN: 'canary 1' });
    expect(findings).toEqual([failed('crm', /^CRM_TOKEN is no token/)]);
    expect(JSON.stringify(findings)).not.toContain('canary');
    expect(crm.received).toEqual([]);
  });

  test.each([
    ['nobody listens', async () => DEAD_ADDRESS, /refuses connections.*CRM_URL/],
    ['there is a web page', async () => (await stubUpstream(says('<html>'))).url, /HTML.*CRM_URL/],
    [
      'there is nothing',
      async () => (await stubUpstream(says('', { status: 404 }))).url,
      /nothing at GET .*CRM_URL right\?/,
    ],
  ])('and says in words that %s', async (_name, address, words) => {
    const findings = await found({ CRM_URL: await address(), CRM_TOKEN: 'canary' });
    expect(findings).toEqual([failed('crm', words)]);
    expect(JSON.stringify(findings)).not.toContain('canary');
  });
});

describe('the forum', () => {
  test('with a login of its own', async () => {
    const { sandbox } = await freshSandbox({ demo: true });
    const env = { FORUM_URL: sandbox.urls.forum, FORUM_AUTHORIZATION: 'Basic ZGVtbzpkZW1v', API_TOKEN: 'api-token' };
    expect(await command(env)).toMatchObject({ code: 0, stdout: 'ok    forum: answers; categories: 5.\n' });
  });

  test.each([
    ['without one', '', /answers\. Set FORUM_AUTHORIZATION to try a token with it\./],
    ['with a wrong one', 'Basic ZGVtbzpjYW5hcnk=', /refused.*FORUM_URL is right; is FORUM_AUTHORIZATION\?/],
    ['with one that is none', 'canary', /FORUM_AUTHORIZATION is no credential: it takes Basic/],
  ])('%s', async (_name, credential, words) => {
    const { sandbox } = await freshSandbox({ demo: true });
    const findings = await found({ FORUM_URL: sandbox.urls.forum, FORUM_AUTHORIZATION: credential });
    expect(findings).toEqual([failed('forum', words)]);
    expect(JSON.stringify(findings)).not.toMatch(/canary|Y2FuYXJ5|anary/);
  });
});

describe('doctor --contract', () => {
  const canary = 'canary-3f9c';

  test.each([
    ['as text', [], /^trivium \d+\.\d+\.\d+: the answers of 8 documented reads/],
    ['as JSON', ['--json'], /^\{\n  "trivium": "/],
  ])('prints what differs %s, with exit code 1', async (_name, options, begin) => {
    const crm = await stubUpstream(says(JSON.stringify([{ id: 1, price: [canary], [canary]: 1 }])));
    const env = { CRM_URL: crm.url, CRM_TOKEN: canary };
    const { code, stdout, stderr } = await inProcess(['doctor', '--contract', ...options], { env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(begin);
    expect(stdout).toMatch(/price.*\s.*a decimal/);
    expect(stdout).not.toContain(canary);
    if (options.length > 0) expect(JSON.parse(stdout)).toMatchObject({ reads: expect.any(Array) });
  });

  test('ends with exit code 0 where nothing differs', async () => {
    const { sandbox } = await freshSandbox({ demo: true, origins: 'own' });
    const env = { FORUM_URL: sandbox.urls.forum, FORUM_AUTHORIZATION: 'Basic ZGVtbzpkZW1v' };
    expect(await inProcess(['doctor', '--contract'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\n6 same, 0 differs, 0 failed, 0 skipped\.\n$/),
    });
  });

  test.each([
    ['keeps', 0, 'same     crm      PUT /app/deals/:id.json\nsame     crm      PUT /app/contacts/:id.json\n'],
    ['drops', 1, 'differs  crm      PUT /app/deals/:id.json: a field that was not sent has changed\n'],
    ['refuses', 1, 'failed   crm      PUT /app/deals/:id.json'],
  ])('--writes tells whether PUT %s what is not sent', async (manner, code, lines) => {
    const records = new Map<string, object>();
    const crm = await stubUpstream((request, response) => {
      text(request).then(
        (body) => {
          const [, kind = '', id = '1'] = /^\/app\/(\w+?)s(?:\/(\d+))?\.json/.exec(request.url ?? '') ?? [];
          const sent = body === '' ? {} : JSON.parse(body)[kind];
          const before = manner === 'keeps' ? records.get(kind) : {};
          if (sent !== undefined && request.method !== 'GET') records.set(kind, { ...before, ...sent, id: Number(id) });
          if (manner === 'refuses' && request.method === 'PUT')
            return says('{"error":"no"}', { status: 422 })(request, response);
          const isList = request.method === 'GET' && !/\d\.json/.test(request.url ?? '');
          says(JSON.stringify(isList ? [] : (records.get(kind) ?? { id: 1 })))(request, response);
        },
        () => response.destroy(),
      );
    });
    const env = { CRM_URL: crm.url, CRM_TOKEN: 'token' };
    const found = await inProcess(['doctor', '--contract', '--writes'], { env });
    expect(found.stdout).toContain(lines);
    expect(found.code).toBe(code);
    const writes = crm.received.filter((call) => !call.startsWith('GET '));
    expect(writes.map((call) => call.replace(/\?.*/, ''))).toEqual([
      'POST /app/deals.json',
      'PUT /app/deals/1.json',
      'DELETE /app/deals/1.json',
      'POST /app/contacts.json',
      'PUT /app/contacts/1.json',
    ]);
  });

  test.each([
    ['reads alone', ['--writes'], /^--writes is for --contract\.\n$/],
    ['--watch', ['--contract', '--watch'], /^doctor takes either --watch or --contract\.\n$/],
    ['a report of something else', ['--json'], /^--json is for --contract\.\n$/],
  ])('is not for %s', async (_name, args, words) => {
    const { code, stderr } = await inProcess(['doctor', ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });
});

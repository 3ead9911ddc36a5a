import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { crmReads } from '../../src/cli/contract/crm.ts';
import { DEAD_ADDRESS, rawUpstream, says, stubUpstream } from '../support/stub-upstream.ts';
import { compared, endpointsOf } from './support.ts';

const FIRST = 'GET /app/clients.json';

/** Compares with a CRM that answers so. */
async function overCrm(answer: RequestListener, settings: Partial<Config> = {}) {
  const upstream = await stubUpstream(answer);
  const CRM_URL = new URL(`${upstream.url}/canary-path`);
  return { ...(await compared({ CRM_URL, CRM_SHARES_TOKEN: 'true', ...settings }, 'canary-token')), upstream };
}

const saysJson = (value: unknown) => says(JSON.stringify(value));
const saysXml = (text: string) => says(text, { headers: { 'content-type': 'application/xml' } });

describe('a report holds no value, no id and no unknown key', () => {
  test('of JSON with canaries in each key and each value', async () => {
    const known = crmReads.flatMap(({ fields }) => Object.keys(fields));
    const row = Object.fromEntries([...known, 'canary_key'].map((key) => [key, { canary_inner: `canary ${key}` }]));
    const texts = Object.fromEntries([...known, 'canary-other'].map((key) => [key, `canary-${key}`]));
    const numbers = Object.fromEntries(known.map((key) => [key, 987_654]));
    const headers = { 'set-cookie': 'canary=1', location: '/canary', 'x-canary': 'canary' };
    const { text, json, reports, upstream } = await overCrm(says(JSON.stringify([row, texts, numbers]), { headers }));
    expect(upstream.received.join()).toContain('/canary-path/app/clients/canary-id.json'); // an id of a row was used
    for (const report of [text, json]) expect(report).not.toMatch(/canary|987.?654|127\.0\.0\.1|http:/);
    expect(reports[0]).toMatchObject({
      endpoint: FIRST,
      result: 'differs',
      comparison: { unknownKeys: expect.any(Number) },
    });
    expect(text).toContain(`         name: expected a text, got an object\n`);
    expect(text).toMatch(/ {9}created_at: expected an instant, got a text, a whole number, an object\n/);
  });

  test('of XML with canaries in each element, attribute and text', async () => {
    const user =
      '<user canary="canary"><login>canary</login><created-at type="canary">canary</created-at><canary>canary</canary></user>';
    const upstream = await stubUpstream(saysXml(`<users type="array">${user}${user}</users>`));
    const { text, json } = await compared(
      { FORUM_URL: new URL(upstream.url) },
      undefined,
      'Basic Y2FuYXJ5OmNhbmFyeQ==',
    );
    expect(text).toContain('differs  forum    GET /app/users/team.xml: keys that no document names: 1; ');
    expect(text).toContain('         created-at: expected an instant, got a text\n');
    for (const report of [text, json]) expect(report).not.toMatch(/canary|Y2FuYXJ5/);
  });

  test('of refusals, failures and names that HTTP carries', async () => {
    const upstream = await rawUpstream((socket) =>
      socket.end(
        'HTTP/1.1 403 canary\r\ncanary: canary\r\nlocation: http://canary/\r\ncontent-length: 18\r\n\r\n{"error":"canary"}',
      ),
    );
    const refused = await compared({ CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true' }, 'canary');
    expect(refused.text).toContain(`failed   crm      ${FIRST}: status 403\n`);
    const gone = await compared({ CRM_URL: new URL(DEAD_ADDRESS), CRM_SHARES_TOKEN: 'true' }, 'canary');
    expect(gone.text).toContain(`failed   crm      ${FIRST}: no connection\n`);
    expect(gone.text).toContain('GET /app.json: not called after: no connection\n');
    for (const { text, json } of [refused, gone]) expect(text + json).not.toMatch(/canary|127\.0\.0\.1/);
  });

  test('and a secret where the document says that there is none is a difference', async () => {
    const upstream = await stubUpstream(saysJson([{ id: 1, token: 'canary-raw-value' }]));
    const { text, json } = await compared({ ACCOUNT_URL: new URL(upstream.url), FLEX_URL: undefined });
    expect(text).toContain('         token: expected nothing: it is a secret, got a text\n');
    expect(text + json).not.toContain('canary');
  });
});

describe('a hostile answer is one line', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const deepObject = `${'{"id":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  test.each([
    ['a web page', says('<html>canary', { headers: { 'content-type': 'text/html' } }), 'expected JSON, got a web page'],
    ['XML', saysXml('<canary/>'), 'expected JSON, got something else, or cut off, too deep or too large'],
    ['broken JSON', says('[{"id":1,"canary'), 'expected JSON, got something else, or cut off, too deep or too large'],
    ['an empty body', says(''), 'expected JSON, got something else, or cut off, too deep or too large'],
    ['a refusal under 200', saysJson({ status: 'error', message: 'canary' }), 'a refusal with the status 200'],
    ['a redirect', says('', { status: 302, headers: { location: '/canary' } }), 'status 302'],
    ['no content', says('', { status: 204 }), 'status 204'],
    ['a text', saysJson('canary'), 'the answer: expected a list, got a text'],
    ['an object in place of a list', says('{"id":1}'), 'the answer: expected a list, got an object'],
    ['lists in lists', says(`[${deep}]`), 'the answer: expected an object, got more than is read'],
    ['objects in objects', says(`[${deepObject}]`), 'the answer: expected an object, got more than is read'],
    [
      'numbers beyond all',
      says(`[{"id":1e999}]`),
      'id: expected an id, a whole number or a text, in each row, got a number',
    ],
    [
      'keys of prototypes',
      says('[{"id":1,"__proto__":{"name":[]},"constructor":1,"toString":2}]'),
      'keys that no document names: 3',
    ],
    ['a list that is too large', says(`[${'1,'.repeat(1_000)}1]`), 'more than 1000 bytes', { MAX_LIST_BYTES: 1_000 }],
    ['many rows', says(`[${'[],'.repeat(90_000)}1]`), 'the answer: expected an object, got a list'],
    ['very many rows', says(`[${'[],'.repeat(200_000)}1]`), 'expected JSON, got something else, or cut off, too deep'],
  ] as const)('%s', async (_name, answer, words, settings: Partial<Config> = {}) => {
    let isFirst = true;
    const { text } = await overCrm((request, response) => {
      if (isFirst) answer(request, response);
      else says('', { status: 401 })(request, response);
      isFirst = false;
    }, settings);
    const lines = text.split('\n').filter((line) => line.includes(words));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.length).toBeLessThanOrEqual(160);
    expect(text).not.toContain('canary');
  });

  test.each([
    ['broken XML', '<users type="array"><canary></users>'],
    ['another root', '<canary type="array"><user/></canary>'],
    ['an element twice', '<user><login>a</login><canary>1</canary><canary>2</canary></user>'],
    ['a doctype', '<!DOCTYPE canary [<!ENTITY a "canary">]><user><login>&a;</login></user>'],
    ['elements in elements', `<user>${'<canary>'.repeat(20_000)}${'</canary>'.repeat(20_000)}</user>`],
    ['JSON', '{"canary":1}'],
  ])('of the forum: %s', async (_name, body) => {
    const upstream = await stubUpstream(saysXml(body));
    const { text } = await compared({ FORUM_URL: new URL(upstream.url) });
    expect(text.split('\n').find((line) => line.includes('GET /app/users/me.xml'))).toMatch(
      /^differs  forum    GET \/app\/users\/me\.xml: expected XML with the root <user>, got something else/,
    );
    expect(text).not.toContain('canary');
  });
});

describe('a comparison is bounded', () => {
  test('an API that refuses the credential, asks to slow down or is gone is called no more', async () => {
    for (const status of [401, 429, 503]) {
      const { upstream, text } = await overCrm(says('', { status }));
      expect(upstream.received).toHaveLength(1);
      expect(text).toContain(`not called after: status ${status}`);
    }
  });

  test('an API that hangs costs one deadline', async () => {
    const { upstream, text } = await overCrm(() => {}, { UPSTREAM_TIMEOUT_MS: 50 });
    expect(upstream.received).toHaveLength(1);
    expect(text).toContain(`failed   crm      ${FIRST}: no whole answer in time\n`);
  });

  test('an id that leads elsewhere is not called', async () => {
    const { upstream, reports } = await overCrm(saysJson([{ id: '../../account/api_tokens', contact_id: 'a/b?c' }]));
    expect(upstream.received.map((call) => call.split('?')[0])).toEqual([
      'GET /canary-path/app/clients.json',
      'GET /canary-path/app.json',
      'GET /canary-path/app/deals.json',
    ]);
    expect(endpointsOf(reports, 'skipped')).toHaveLength(crmReads.length - 3);
  });

  test.each([
    ['bytes', { answerBytes: 100, bytes: 250, ms: 60_000 }, 3],
    ['time', { answerBytes: 100, bytes: 250, ms: 0 }, 0],
  ])('what is more than its %s in all is not called', async (name, bounds, calls) => {
    const upstream = await stubUpstream(saysJson([{ id: 1, name: 'x'.repeat(200) }]));
    const { text } = await compared({ ACCOUNT_URL: new URL(upstream.url) }, undefined, undefined, bounds);
    expect(upstream.received).toHaveLength(calls);
    expect(text).toMatch(new RegExp(`the ${name} of the comparison (is|are) (over|used up)`));
  });

  test('a call ends when the time of the comparison is over, whatever the deadline of calls is', async () => {
    const upstream = await stubUpstream(() => {});
    const settings = { ACCOUNT_URL: new URL(upstream.url), UPSTREAM_TIMEOUT_MS: 600_000 };
    const bounds = { answerBytes: 100, bytes: 250, ms: 200 };
    const { text } = await compared(settings, undefined, undefined, bounds);
    expect(upstream.received).toHaveLength(1);
    expect(text).toContain('no whole answer in time');
  });

  test('without a credential nothing is called', async () => {
    const upstream = await stubUpstream(saysJson([]));
    const { text, reports } = await compared({ CRM_URL: new URL(upstream.url) }, 'canary token');
    expect(upstream.received).toEqual([]);
    expect(text).toContain('set CRM_TOKEN, to a credential that can be sent');
    expect(endpointsOf(reports, 'skipped')).toHaveLength(crmReads.length);
  });
});

import { describe, expect, onTestFinished, test } from 'vitest';
import { demoHints } from '../../src/cli/demo.ts';
import { createLog } from '../../src/observe/log.ts';
import { createGateway } from '../../src/edge/server.ts';
import { gatewayOver, settingsFor, testConfig } from '../support/gateway.ts';
import { freshSandbox } from '../support/sandbox.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';

// Mistakes of the first ten minutes, and the messages that say how to mend them.

const QUERIES = {
  account: '{ apiTokens { name } }',
  flex: '{ flexDbs { name } }',
  crm: '{ deals { totalCount } }',
  forum: '{ forumTeam { __typename } }',
} as const;

type Headers = Readonly<Record<string, string>>;

/** The messages of the errors of a query. */
async function messagesOf(url: string, query: string, headers: Headers): Promise<string[]> {
  const body = JSON.stringify({ query });
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const { errors = [] }: { errors?: { message: string }[] } = await response.json();
  return errors.map(({ message }) => message);
}

const CANARY = 'Bearer canary-3f9c';
const WRONG_LOGIN = `Basic ${Buffer.from('canary-3f9c:canary').toString('base64')}`;

describe('without a credential that the sandbox knows', () => {
  const TOKENS = 'The sandbox knows the tokens demo-admin, demo-editor and demo-member.';
  const LOGIN = 'The sandbox knows the login demo with the password demo: `X-Forum-Authorization: Basic ZGVtbzpkZW1v`.';

  async function overSandbox(hints?: typeof demoHints): Promise<string> {
    const { sandbox } = await freshSandbox({ demo: true });
    const logs: string[] = [];
    const log = createLog('debug', { write: (line) => void logs.push(line) });
    const gateway = await createGateway(testConfig(settingsFor(sandbox)), { log, hints });
    onTestFinished(async () => {
      await gateway.close();
      expect(logs.join('')).not.toContain('canary');
    });
    return gateway.url;
  }

  const wrong: readonly (readonly [name: string, headers: Headers])[] = [
    ['a wrong one', { authorization: CANARY, 'x-crm-token': 'canary-3f9c', 'x-forum-authorization': WRONG_LOGIN }],
    ['a malformed one', { authorization: 'canary', 'x-crm-token': 'canary 3f9c', 'x-forum-authorization': 'canary' }],
    ['none', {}],
  ];

  test.each(wrong)('%s: the error says which ones there are', async (_name, headers) => {
    const url = await overSandbox(demoHints);
    for (const [api, query] of Object.entries(QUERIES)) {
      const hint = api === 'forum' ? LOGIN : TOKENS;
      const messages = await messagesOf(url, query, headers);
      expect(messages, api).toEqual([expect.stringMatching(/^[^.]+(?:\.| \S+\.) The sandbox/)]);
      expect(messages[0]?.endsWith(` ${hint}`), api).toBe(true);
      expect(messages.join('')).not.toContain('canary');
    }
  });

  test('over other APIs the error says nothing of the sandbox', async () => {
    const url = await overSandbox();
    for (const [, headers] of wrong) {
      for (const query of Object.values(QUERIES)) {
        const messages = await messagesOf(url, query, headers);
        expect(messages).toHaveLength(1);
        expect(messages.join('')).not.toMatch(/sandbox|demo|canary/);
      }
    }
  });
});

describe('an API without an address', () => {
  test('is an error that names its setting, before any credential is asked for', async () => {
    const upstream = await stubUpstream(says('[]'));
    const { url } = await gatewayOver(upstream.url, {
      ACCOUNT_URL: undefined,
      FLEX_URL: undefined,
      CRM_URL: undefined,
      FORUM_URL: undefined,
    });
    for (const headers of [{}, { authorization: 'canary', 'x-crm-token': ' ', 'x-forum-authorization': 'canary' }]) {
      for (const [api, query] of Object.entries(QUERIES)) {
        expect(await messagesOf(url, query, headers)).toEqual([
          `The ${api} API has no address: set ${api.toUpperCase()}_URL.`,
        ]);
      }
    }
  });

  test('leaves the credentials of the other ones alone', async () => {
    const upstream = await stubUpstream(says('[]'));
    const { url } = await gatewayOver(upstream.url);
    expect(await messagesOf(url, QUERIES.account, {})).toEqual([expect.stringContaining('No credential')]);
    expect(upstream.received).toEqual([]);
  });
});

describe('a base address with a wrong path', () => {
  const credentials = { authorization: CANARY, 'x-crm-token': 't', 'x-forum-authorization': WRONG_LOGIN };

  const over = async (status: number, contentType: string) => {
    const upstream = await stubUpstream(
      says('<html><body>x</body></html>', { status, headers: { 'content-type': contentType } }),
    );
    const base = new URL(`${upstream.url}/app`);
    return gatewayOver(upstream.url, { ACCOUNT_URL: base, FLEX_URL: base, CRM_URL: base, FORUM_URL: base });
  };

  test.each(Object.entries(QUERIES))('%s: 404 for a list and a web page name the setting', async (api, query) => {
    const setting = `${api.toUpperCase()}_URL`;
    for (const [status, type, told] of [
      [404, 'text/plain', `^The ${api} API has nothing at GET /[a-z_/]+\\.(json|xml): .*${setting} may be wrong\\.$`],
      [200, 'text/html', `is the address in ${setting} right\\? Its path may be wrong\\.`],
    ] as const) {
      const { url } = await over(status, type);
      const [message = ''] = await messagesOf(url, query, credentials);
      expect(message).toMatch(new RegExp(told));
      expect(message).not.toMatch(/127\.0\.0\.1|canary/);
    }
  });
});

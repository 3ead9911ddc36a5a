import type { Config, Flags } from '../config.ts';
import { LOCALHOST } from '../config/setting.ts';
import type { CredentialHints } from '../operation/credentials.ts';
import type { DemoCredentials } from '../edge/pages/home.ts';
import type { Sandbox } from '../sandbox/server.ts';
import { receiptsLine } from './setting-warnings.ts';

// The demo credentials of the sandbox, and the banner.

const demoTokens = [
  { token: 'demo-admin', may: 'do everything' },
  { token: 'demo-editor', may: 'create and change dashboards of their own' },
  { token: 'demo-member', may: 'change records of the CRM and of flexible databases, and select dashboards' },
];

/**
 * Login `demo`, password `demo`.
 *
 * @internal exported for the tests
 */
export const demoForumAuthorization = basic('demo', 'demo');

function basic(login = '', password = ''): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}

/** The credentials of the demo data, as the page at `/` shows them. */
export const demoCredentials: DemoCredentials = { tokens: demoTokens, forumAuthorization: demoForumAuthorization };

/**
 * The settings, as texts, that make the sandbox the upstream. Where the caller's settings are silent, pages of this machine may
 * call the gateway, and operations may be traced.
 */
export function sandboxSettings(
  { account, flex, crm, forum }: Sandbox['urls'],
  { CORS_ORIGINS, TRACE }: Config,
): Flags {
  return {
    ...(CORS_ORIGINS.length === 0 && { CORS_ORIGINS: LOCALHOST }),
    ...(TRACE === 'auto' && { TRACE: 'true' }),
    ACCOUNT_URL: account,
    FLEX_URL: flex,
    // Not documented (A118): what the cookie of public methods is called. In the sandbox it is this.
    FLEX_COOKIES: 'flex_key',
    CRM_URL: crm,
    CRM_SHARES_TOKEN: 'true',
    FORUM_URL: forum,
  };
}

/** A sandbox that answers, with the users of its seed. */
export type RunningSandbox = Pick<Sandbox, 'urls' | 'callers'>;

/** Whether a sandbox has the callers of the demo data. A seed file may have others. */
export function hasDemoCallers({ callers }: Pick<RunningSandbox, 'callers'>): boolean {
  return callers.some(({ token }) => token === demoTokens[0]?.token);
}

/** The sentences that complete the errors of credentials over the sandbox. */
export const demoHints: CredentialHints = {
  token: `The sandbox knows the tokens ${demoTokens
    .map(({ token }) => token)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ')}.`,
  login: `The sandbox knows the login demo with the password demo: \`X-Forum-Authorization: ${demoForumAuthorization}\`.`,
};

/** The banner of a gateway over the sandbox: addresses, and credentials to paste where it reads any. */
export function demoBanner(endpoint: string, role: string, sandbox: RunningSandbox, config: Config): string {
  const { urls } = sandbox;
  return `trivium is up${role}, over a sandbox with ${hasDemoCallers(sandbox) ? 'demo data' : 'the callers of its seed file'}.

  GraphQL   ${endpoint}   in a browser: GraphiQL
  Sandbox   ${urls.account}   stands in for the account, flex and CRM APIs
            ${urls.forum}   for the forum
${receiptsLine(config)}
${config.PUBLIC === 'true' ? '  It serves public methods of databases alone, and reads no credentials.\n' : credentialsToPaste(endpoint, sandbox)}`;
}

function credentialsToPaste(endpoint: string, sandbox: RunningSandbox): string {
  const { callers } = sandbox;
  const tokens = hasDemoCallers(sandbox)
    ? demoTokens.map(({ token, may }) => ({ token, about: `may ${may}` }))
    : callers.flatMap(({ token, name }) => (token === undefined ? [] : [{ token, about: name }]));
  const login = callers.find((caller) => caller.login !== undefined);
  return `  Credentials to paste, as the header Authorization: Bearer <token>
${tokens.map(({ token, about }) => `    ${token.padEnd(13)}${about}`).join('\n')}
  and for the forum X-Forum-Authorization: ${login ? basic(login.login, login.password) : '(no caller has a login)'}

  curl -s ${endpoint} -H 'Authorization: Bearer ${tokens[0]?.token ?? '<API_TOKEN>'}' -H 'Content-Type: application/json' -d '{"query":"{ apiTokens { name tokenInfo } }"}'

  To serve the real APIs instead: ACCOUNT_URL=https://account.example npm start
`;
}

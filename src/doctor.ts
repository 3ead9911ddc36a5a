import { accountApi } from './account/source.ts';
import type { Config } from './config.ts';
import { sharesToken, Upstreams } from './context.ts';
import { crmApi } from './crm/source.ts';
import { forumApi } from './forum/source.ts';
import { flexApi } from './flex/source.ts';
import type { Api } from './http/api.ts';
import { GatewayError, NotFoundError, UnauthenticatedError } from './http/errors.ts';

export interface Finding {
  readonly api: string;
  readonly ok: boolean;
  /** What was found, in words. */
  readonly text: string;
}

/** A token that nobody has: enough to see whether an address answers. */
const NO_TOKEN = 'none';
const NO_HEADER = 'is no token: it holds white space, or a character beyond ASCII.';
const NO_LOGIN = 'is no credential: it takes Basic and the base64 of login:password.';
const NOBODY = `Basic ${Buffer.from('nobody:').toString('base64')}`;

interface Trial {
  readonly api: Api;
  readonly url: URL | undefined;
  /** The setting that holds the credential, the credential, and what is wrong with one that cannot be sent. */
  readonly token: readonly [setting: string, token: string, malformed: string];
  readonly read: () => Promise<readonly unknown[]>;
  readonly what: string;
}

/** Tries one cheap read on each upstream that has an address, with the tokens of the settings if there are any. */
export async function doctor(config: Config): Promise<Finding[]> {
  const upstreams = new Upstreams(config);
  const token = ['API_TOKEN', config.API_TOKEN, NO_HEADER] as const;
  const crmToken =
    config.CRM_TOKEN === '' && sharesToken(config) ? token : (['CRM_TOKEN', config.CRM_TOKEN, NO_HEADER] as const);
  const login = ['FORUM_AUTHORIZATION', config.FORUM_AUTHORIZATION, NO_LOGIN] as const;
  const { account, flex, crm, forum } = upstreams.context({
    headers: {
      authorization: `Bearer ${token[1] || NO_TOKEN}`,
      'x-crm-token': crmToken[1] || NO_TOKEN,
      'x-forum-authorization': login[1] || NOBODY,
    },
    address: '',
    forbidStoring: () => {},
    setCookie: () => {},
  });
  const flexUrl = config.FLEX_URL ?? config.ACCOUNT_URL;
  const trials: Trial[] = [
    { api: accountApi, url: config.ACCOUNT_URL, token, read: () => account.apiTokens(), what: 'tokens of the caller' },
    { api: flexApi, url: flexUrl, token, read: () => flex.databases(), what: 'databases' },
    { api: crmApi, url: config.CRM_URL, token: crmToken, read: () => crm.deals(), what: 'deals' },
    { api: forumApi, url: config.FORUM_URL, token: login, read: () => forum.categories(), what: 'categories' },
  ];
  try {
    return await Promise.all(trials.filter(({ url }) => url).map(examine));
  } finally {
    await upstreams.close();
  }
}

async function examine({ api: { name, setting }, token, read, what }: Trial): Promise<Finding> {
  try {
    return { api: name, ok: true, text: `answers; ${what}: ${(await read()).length}.` };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { api: name, ok: false, text: explained(error, setting, token) };
  }
}

function explained(error: GatewayError, setting: string, [tokenSetting, token, malformed]: Trial['token']): string {
  if (error instanceof NotFoundError) return `${error.message} Is the address in ${setting} right?`;
  if (!(error instanceof UnauthenticatedError)) return error.message;
  if (!error.upstream) return `${tokenSetting} ${malformed}`; // never sent, where no upstream is named
  if (token === '') return `The address in ${setting} answers. Set ${tokenSetting} to try a token with it.`;
  return `${error.message} The address in ${setting} is right; is ${tokenSetting}?`;
}

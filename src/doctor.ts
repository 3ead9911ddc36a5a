import { accountApi } from './account/source.ts';
import type { Config } from './config.ts';
import { Upstreams } from './context.ts';
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

interface Trial {
  readonly api: Api;
  readonly read: () => Promise<readonly unknown[]>;
  readonly what: string;
}

/** Tries one cheap read on each upstream that has an address, with the token of the settings if there is one. */
export async function doctor(config: Config): Promise<Finding[]> {
  const upstreams = new Upstreams(config);
  const { account, flex } = upstreams.context({
    headers: { authorization: `Bearer ${config.API_TOKEN || NO_TOKEN}` },
    address: '',
    forbidStoring: () => {},
    setCookie: () => {},
  });
  const trials = [
    { api: accountApi, url: config.ACCOUNT_URL, read: () => account.apiTokens(), what: 'tokens of the caller' },
    { api: flexApi, url: config.FLEX_URL ?? config.ACCOUNT_URL, read: () => flex.databases(), what: 'databases' },
  ];
  try {
    return await Promise.all(trials.filter(({ url }) => url).map((trial) => examine(trial, config.API_TOKEN)));
  } finally {
    await upstreams.close();
  }
}

async function examine({ api: { name, setting }, read, what }: Trial, token: string): Promise<Finding> {
  try {
    return { api: name, ok: true, text: `answers; ${what}: ${(await read()).length}.` };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { api: name, ok: false, text: explained(error, setting, token) };
  }
}

function explained(error: GatewayError, setting: string, token: string): string {
  if (error instanceof NotFoundError) return `${error.message} Is the address in ${setting} right?`;
  if (!(error instanceof UnauthenticatedError)) return error.message;
  if (!error.upstream) return 'API_TOKEN is no token: it holds white space, or a character beyond ASCII.'; // never sent
  if (token === '') return `The address in ${setting} answers. Set API_TOKEN to try a token with it.`;
  return `${error.message} The address in ${setting} is right; is API_TOKEN?`;
}

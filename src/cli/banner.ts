import { addressOf, apiNames, apis } from '../config/apis.ts';
import { type Config, settings } from '../config.ts';
import type { RunningSandbox } from './demo.ts';
import { receiptsLine } from './setting-warnings.ts';

/** The banner of a gateway over real APIs: each with its address, or the setting that it lacks. */
export function upstreamBanner(endpoint: string, role: string, config: Config): string {
  const called = apiNames.filter((name) => config.PUBLIC !== 'true' || apis[name].isPublic);
  const lines = called.map((name) => {
    const url = addressOf(name, config);
    const shown = url ? `${url.origin}${url.pathname.replace(/\/$/, '')}` : `not set: set ${apis[name].prefix}_URL`;
    return `  ${name.padEnd(10)}${shown}\n`;
  });
  return `trivium serves ${endpoint}${role}\n\n${lines.join('')}${receiptsLine(config)}\n`;
}

/** The settings with their defaults, one in each line. */
export function describeSettings(): string {
  const lines = Object.entries(settings).map(([name, setting]) => {
    const { description, default: fallback } = setting.meta() ?? {};
    const shown = String(fallback ?? '');
    return `  ${name.padEnd(23)} ${description}${shown && ` [${shown}]`}\n`;
  });
  return lines.join('');
}

/** The banner of a sandbox alone: addresses, credentials, how to reset it and how to keep its data. */
export function sandboxBanner({ urls: { account, forum }, callers }: RunningSandbox, isKept: boolean): string {
  const lines = callers.map(({ name, token = '', login, password }) => {
    const forumLogin = login === undefined ? '' : `   forum: ${login} / ${password}`;
    return `    ${token.padEnd(13)} ${name}${forumLogin}\n`;
  });
  const data = isKept ? 'is kept in the file of --data' : 'is in memory: --data FILE keeps it';
  return `The sandbox serves the account, flex and CRM APIs at ${account} and the forum at ${forum}

  API tokens
${lines.join('')}
  Reset     curl -X POST ${account}/sandbox/reset
  Data      ${data}
  More      ${account} in a browser: endpoints, faults, calls
`;
}

import type { Config } from '../../src/config.ts';
import { asAda, saysXml } from '../forum/support.ts';
import { gatewayOver } from '../support/gateway.ts';
import { ask, type Asked } from '../support/parts.ts';
import { heldUpstream, says } from '../support/stub-upstream.ts';

export const ME = '/app/users/me.xml';

/** Reads the account at once, and the forum later. */
export const DEFERRED = 'query Page { apiTokens { name } ... @defer(label: "forum") { forumMe { login } } }';
export const FIRST = { data: { apiTokens: [{ name: 'a' }, { name: 'b' }] }, hasNext: true };

export const ada = saysXml('<user><login>ada</login></user>');

/** A gateway over an account API that answers at once, and a forum that answers some paths when the test says so. */
export async function slowForum(settings: Partial<Config> = {}, ...paths: readonly string[]) {
  const posts = [1, 2, 3].map((id) => `<post><id>${id}</id><title>T${id}</title></post>`);
  const forum = await heldUpstream(saysXml(`<posts type="array">${posts.join('')}</posts>`), ME, ...paths);
  const account = await heldUpstream(says('[{"id":1,"name":"a"},{"id":2,"name":"b"}]'), '/toolkit/dashboards.json');
  const over = await gatewayOver(account.url, { FORUM_URL: new URL(forum.url), ...settings }, 'token');
  return {
    ...over,
    account,
    forum,
    ask: async (query: string, { headers, ...asked }: Asked = {}) =>
      ask(over.url, query, { ...asked, headers: { ...asAda, ...headers } }),
  };
}

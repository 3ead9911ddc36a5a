import type { Config } from '../../src/config.ts';
import type { ResponseCaches } from '../../src/apis/response-caches.ts';
import type { Caller, Context } from '../../src/operation/context.ts';
import { Departure } from '../../src/calls/transport/departure.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { Upstreams } from '../../src/apis/upstreams.ts';
import type { dice } from '../support/dice.ts';
import { settingsFor, testConfig } from '../support/gateway.ts';

export type Dice = ReturnType<typeof dice>;

/** The ids of what the callers of a sequence have made, by kind. The oldest come first. */
export type Kind =
  | 'client'
  | 'post'
  | 'deal'
  | 'contact'
  | 'contactList'
  | 'dashboard'
  | 'database'
  | 'record'
  | 'suggestion'
  | 'token';

/** An account of the sandbox with callers of different rights. */
export interface World {
  /** A text that other sequences do not have, for codes and logins. */
  readonly name: string;
  /** The headers of each. */
  readonly callers: Caller['headers'][];
  readonly ids: ReadonlyMap<Kind, string[]>;
  readonly roll: Dice['roll'];
  readonly pick: Dice['pick'];
  /** An id of this kind, mostly one of the oldest, so that writes and reads meet. */
  id(kind: Kind): string;
  /** The number of calls so far: a text that is new each time. */
  next(): number;
}

const KINDS = ['client', 'post', 'deal', 'contact', 'contactList', 'dashboard', 'database', 'record'] as const;

export function createWorld({ store }: Sandbox, name: string, { roll, pick }: Dice): World {
  const { id: account } = store.createAccount({ modules: ['crm', 'cms'] });
  const everything = ['account_settings', 'dashboard_advanced', 'crm_notes_index', 'todo'] as const;
  const user = (login: string, permissions: readonly (typeof everything)[number][]) =>
    store.createUser({ account, login: `${login}-${name}`, password: 'demo', permissions });
  const headers = (token: string, login: string) => ({
    authorization: `Bearer ${token}`,
    'x-forum-authorization': `Basic ${Buffer.from(`${login}-${name}:demo`).toString('base64')}`,
  });
  const admin = user('admin', everything);
  const editor = user('editor', ['dashboard_advanced']);
  const member = user('member', []);
  store.createForumCategory(account, 'Ideas');
  const ids = new Map<Kind, string[]>([...KINDS, 'suggestion' as const, 'token' as const].map((kind) => [kind, []]));
  let count = 0;
  return {
    name,
    callers: [headers(admin.token, 'admin'), headers(editor.token, 'editor'), headers(member.token, 'member')],
    ids,
    roll,
    pick,
    id: (kind) => ids.get(kind)?.[roll(Math.min(3, ids.get(kind)?.length ?? 0))] ?? '1',
    next: () => (count += 1),
  };
}

/** The data sources over a sandbox, for one operation of a caller each time. */
export function sourcesOver(sandbox: Sandbox, settings: Partial<Config>, answers?: ResponseCaches) {
  const upstreams = new Upstreams(testConfig({ ...settingsFor(sandbox), ...settings }), { answers });
  const read = (headers: Caller['headers']): Context =>
    upstreams.context({
      headers,
      address: '127.0.0.1',
      setCookie: () => {},
      gone: new Departure(),
      onSecret: () => {},
      onLateWrite: () => {},
    });
  const write = (headers: Caller['headers']): Context => {
    const context = read(headers);
    context.forbidSharing(); // as each field of a mutation does
    return context;
  };
  return { read, write, close: () => upstreams.close() };
}

import { accountApi } from './account/api.ts';
import { CallLog, type RecordedCall } from './calls.ts';
import { crmApi } from './crm/api.ts';
import { Fixtures } from './fixtures.ts';
import { flexApi } from './flex/api.ts';
import { forumApi } from './forum/api.ts';
import { listen, type Listener } from './listener.ts';
import { migrations } from './migrations.ts';
import { Router } from './router.ts';
import { seedDemo } from './seed.ts';
import { DataFileError, Store } from './store.ts';

export type { RecordedCall };
export { DataFileError };

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 4001; the forum takes the next one. 0 takes free ones. */
  readonly port?: number;
  /** `own` gives each API a free port of its own, whatever `port` says. Default: all but the forum share one. */
  readonly origins?: 'shared' | 'own';
  /** A file to keep the data in. Default: in memory, gone with the process. */
  readonly data?: string;
  /** Whether an empty store is filled with demo data. Default true. */
  readonly demo?: boolean;
  /** The clock. Default: the system's. */
  readonly now?: () => Date;
}

export interface Sandbox {
  /** Base addresses without a trailing slash. */
  readonly urls: { readonly account: string; readonly flex: string; readonly crm: string; readonly forum: string };
  /** Every endpoint: `GET /account/api_tokens/:id.json` … */
  readonly routes: readonly string[];
  /** The last 10,000 requests since the start or the last `forgetCalls`, in order of arrival. */
  readonly requests: readonly RecordedCall[];
  /** The same requests as `METHOD /route`, or with their path where no route matched. */
  calls(): string[];
  forgetCalls(): void;
  /** What no endpoint offers but a test needs: accounts, users, sessions, modules, applications, many records at once. */
  readonly store: Fixtures;
  /** Stops listening, ends open connections and closes the data file. */
  close(): Promise<void>;
}

/**
 * Starts the documented APIs as real HTTP servers over an embedded database. Resolves once they
 * accept connections.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 4001, origins = 'shared', demo = true, now = () => new Date() } = options;
  const store = new Store(options.data);
  const services = { store, now };
  const log = new CallLog();
  const [account, flex, crm, forum] = [accountApi(services), flexApi(services), crmApi(services), forumApi(services)];
  const together = Router.of(account, flex, crm);
  const listeners: Listener[] = [];
  const serve = async (router: Router, port: number) => {
    const listener = await listen({ router, store, log }, host, port);
    listeners.push(listener);
    return listener.url;
  };
  const close = async () => {
    await Promise.all(listeners.map((listener) => listener.close()));
    store.close();
  };

  try {
    store.migrate(migrations);
    if (demo) seedDemo(services);
    const [first, second = first, third = first] =
      origins === 'own'
        ? [await serve(account, 0), await serve(flex, 0), await serve(crm, 0)]
        : [await serve(together, port)];
    const last = await serve(forum, origins === 'own' || port === 0 ? 0 : port + 1);
    return {
      urls: { account: first, flex: second, crm: third, forum: last },
      routes: [...together.patterns, ...forum.patterns],
      get requests() {
        return log.calls;
      },
      calls: () => log.calls.map(({ method, route, path }) => `${method} ${route ?? path}`),
      forgetCalls: () => log.forget(),
      store: new Fixtures(services),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

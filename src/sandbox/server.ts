import { accountApi } from './account/api.ts';
import type { AnswerMode } from './answers.ts';
import { CallLog, type RecordedCall } from './call-log.ts';
import { crmApi } from './crm/api.ts';
import { Fixtures } from './fixtures.ts';
import { flexApi } from './flex/api.ts';
import { forumApi } from './forum/api.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';
import { migrations } from './migrations.ts';
import { Router } from './router.ts';
import { seedDemo } from './seed.ts';
import { DataFileError, Store } from './store.ts';

export type { RecordedCall };
export { DataFileError };

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 4001; the forum listens on the next port. 0 takes free ports. */
  readonly port?: number;
  /** `own` gives each API a free port of its own, whatever `port` says. Default: all but the forum share one. */
  readonly origins?: 'shared' | 'own';
  /** A file to keep the data in. Default: in memory, gone with the process. */
  readonly data?: string;
  /** Whether an empty store is filled with demo data. Default true. */
  readonly demo?: boolean;
  /** How the APIs answer, within what their documents allow. Default `full`. */
  readonly answers?: AnswerMode;
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
  /** Test fixtures that no endpoint can create: accounts, users, sessions, modules, applications, many records at once. */
  readonly store: Fixtures;
  /** Stops listening, ends open connections and closes the data file. */
  close(): Promise<void>;
}

/**
 * Starts the documented APIs as real HTTP servers over an embedded database. Resolves once they
 * accept connections.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 4001, origins = 'shared', demo = true, answers = 'full' } = options;
  const { now = () => new Date() } = options;
  const store = new Store(options.data);
  const services = { store, now };
  const callLog = new CallLog();
  const [account, flex] = [accountApi(services, answers), flexApi(services, answers)];
  const [crm, forum] = [crmApi(services, answers), forumApi(services, answers)];
  const sharedRouter = Router.combine(account, flex, crm);
  const servers: HttpServer[] = [];
  const startServer = async (router: Router, port: number) => {
    const server = await startHttpServer({ router, store, log: callLog }, host, port);
    servers.push(server);
    return server.url;
  };
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
    store.close();
  };

  try {
    store.migrate(migrations);
    if (demo) seedDemo(services);
    const [accountUrl, flexUrl = accountUrl, crmUrl = accountUrl] =
      origins === 'own'
        ? [await startServer(account, 0), await startServer(flex, 0), await startServer(crm, 0)]
        : [await startServer(sharedRouter, port)];
    const forumUrl = await startServer(forum, origins === 'own' || port === 0 ? 0 : port + 1);
    return {
      urls: { account: accountUrl, flex: flexUrl, crm: crmUrl, forum: forumUrl },
      routes: [...sharedRouter.patterns, ...forum.patterns],
      get requests() {
        return callLog.calls;
      },
      calls: () => callLog.calls.map(({ method, route, path }) => `${method} ${route ?? path}`),
      forgetCalls: () => callLog.clear(),
      store: new Fixtures(services),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

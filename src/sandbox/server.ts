import { accountApi } from './account/api.ts';
import type { AnswerMode } from './answers.ts';
import { CallLog, type RecordedCall } from './call-log.ts';
import { Control } from './control/control.ts';
import { Faults } from './control/faults.ts';
import { sandboxPage } from './control/page.ts';
import { crmApi } from './crm/api.ts';
import { Fixtures } from './fixtures.ts';
import { flexApi } from './flex/api.ts';
import { forumApi } from './forum/api.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';
import { migrations } from './migrations.ts';
import { Router } from './router.ts';
import { demoSeed } from './seed.ts';
import { type Seed, type SeededCaller, seedStore } from './seeding.ts';
import { SeedFileError } from './seed-file/error.ts';
import { readSeed, readSeedFile } from './seed-file/read.ts';
import { DataFileError, Store } from './store.ts';

export type { RecordedCall };
export { DataFileError, SeedFileError };

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 4001; the forum listens on the next port. 0 takes free ports. */
  readonly port?: number;
  /** `own` gives each API a free port of its own, whatever `port` says. Default: all but the forum share one. */
  readonly origins?: 'shared' | 'own';
  /** A file to keep the data in. Default: in memory, gone with the process. */
  readonly data?: string | undefined;
  /** Whether an empty store is filled with demo data. Default true. */
  readonly demo?: boolean;
  /** A file of JSON whose records an empty store is filled with, in place of the demo data. See docs/sandbox.md. */
  readonly seed?: string | undefined;
  /** How the APIs answer, within what their documents allow. Default `full`. */
  readonly answers?: AnswerMode;
  /** The clock. Default: the system's. */
  readonly now?: () => Date;
}

export interface Sandbox {
  /** Base addresses without a trailing slash. */
  readonly urls: { readonly account: string; readonly flex: string; readonly crm: string; readonly forum: string };
  /** The users that the seed has, with their credentials. */
  readonly callers: readonly SeededCaller[];
  /** Every endpoint: `GET /account/api_tokens/:id.json` … */
  readonly routes: readonly string[];
  /** The last 10,000 requests since the start or the last `forgetCalls`, in order of arrival. */
  readonly requests: readonly RecordedCall[];
  /** The same requests as `METHOD /route`, or with their path where no route matched. */
  calls(): string[];
  forgetCalls(): void;
  /** Brings the store back to its seed and forgets calls and faults, as `POST /sandbox/reset` does. */
  reset(): void;
  /** Test fixtures that no endpoint can create: accounts, users, sessions, modules, applications, many records at once. */
  readonly store: Fixtures;
  /** Stops listening, ends open connections and closes the data file. */
  close(): Promise<void>;
}

const defaults = {
  host: '127.0.0.1',
  port: 4001,
  origins: 'shared',
  demo: true,
  answers: 'full',
  now: () => new Date(),
} as const satisfies SandboxOptions;

/**
 * Starts the documented APIs as real HTTP servers over an embedded database. Resolves once they
 * accept connections.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host, port, origins, demo, answers, now } = { ...defaults, ...options };
  const seed = chooseSeed(options.seed, demo);
  let callers = seed?.callers ?? [];
  const store = new Store(options.data);
  const services = { store, now };
  const callLog = new CallLog();
  const [account, flex] = [accountApi(services, answers), flexApi(services, answers)];
  const [crm, forum] = [crmApi(services, answers), forumApi(services, answers)];
  const sharedRouter = Router.combine(account, flex, crm);
  const faults = new Faults([sharedRouter, forum]);
  const common = { store, log: callLog, faultAt: (endpoint: string) => faults.take(endpoint) };
  const servers: HttpServer[] = [];
  const startServer = async (router: Router, port: number, control?: Control) => {
    const server = await startHttpServer({ ...common, router, ...(control && { control }) }, host, port);
    servers.push(server);
    return server.url;
  };
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
    store.close();
  };

  try {
    store.migrate(migrations);
    const fill = seedStore(services, seed);
    const reset = (content?: unknown) => {
      const other = content === undefined ? undefined : readSeed(content);
      fill(other);
      if (other) ({ callers } = other);
      faults.clear();
      callLog.clear();
    };
    const hasOwnPorts = origins === 'own';
    const forumUrl = await startServer(forum, hasOwnPorts || port === 0 ? 0 : port + 1);
    const ownUrls = hasOwnPorts ? { flex: await startServer(flex, 0), crm: await startServer(crm, 0) } : {};
    const urlsAt = (url: string) => ({ account: url, flex: url, crm: url, ...ownUrls, forum: forumUrl });
    // The first port comes last: its page names the other ones.
    const page = (url: string) => {
      const urls = urlsAt(url);
      const apis = [
        { name: 'Account API', url: urls.account, endpoints: account.patterns },
        { name: 'Flexible databases', url: urls.flex, endpoints: flex.patterns },
        { name: 'CRM and helpdesk', url: urls.crm, endpoints: crm.patterns },
        { name: 'Forum', url: urls.forum, endpoints: forum.patterns },
      ];
      return sandboxPage({ url, isKept: options.data !== undefined, callers, apis });
    };
    const control = new Control({ faults, log: callLog, reset, page });
    const firstUrl = hasOwnPorts
      ? await startServer(account, 0, control)
      : await startServer(sharedRouter, port, control);
    return {
      urls: urlsAt(firstUrl),
      get callers() {
        return callers;
      },
      routes: faults.endpoints,
      get requests() {
        return callLog.calls;
      },
      calls: () => callLog.calls.map(({ method, route, path }) => `${method} ${route ?? path}`),
      forgetCalls: () => callLog.clear(),
      reset: () => reset(),
      store: new Fixtures(services),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function chooseSeed(file: string | undefined, demo: boolean): Seed | null {
  if (file !== undefined) return readSeedFile(file);
  return demo ? demoSeed : null;
}

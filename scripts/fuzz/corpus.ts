import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/observe/log.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { createGateway } from '../../src/edge/server.ts';
import { type ApiName, type Endpoint, endpointOf, endpoints } from './endpoints.ts';
import { listen } from './loopback.ts';

/** A faithful answer: a response of the sandbox. */
export interface Faithful {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Faithful answers by their endpoints, and the ids that operations of the endpoint table use. */
export interface Corpus {
  readonly answers: ReadonlyMap<Endpoint, Faithful>;
  /** Puts real ids in place of DB, RECORD and FORUM_POST. */
  readonly named: (operation: string) => string;
}

const APIS = ['account', 'flex', 'crm', 'forum'] as const;
const FORUM_LOGIN = { login: 'fay', password: 'long-enough' };

/** Runs each operation of the endpoint table against a sandbox, and keeps what the sandbox answers. */
export async function recordCorpus(): Promise<Corpus> {
  const sandbox = await startSandbox({ port: 0, demo: false, origins: 'own' });
  const answers = new Map<Endpoint, Faithful>();
  const proxies = await Promise.all(APIS.map((api) => recordingProxy(api, sandbox.urls[api], answers)));
  const [ACCOUNT_URL, FLEX_URL, CRM_URL, FORUM_URL] = proxies.map(({ url }) => new URL(url));
  const settings = { CRM_SHARES_TOKEN: 'true', ACCOUNT_URL, FLEX_URL, CRM_URL, FORUM_URL } as const;
  const log = createLog('silent', { write: () => {} });
  const gateway = await createGateway({ ...readConfig({ PORT: '0' }), ...settings }, { log });
  try {
    const { token, named } = await furnish(sandbox);
    // Deletions come last, records before their databases, and the token of all these requests at the very end.
    const ordered = endpoints.toReversed().sort((one, other) => Number(isDeletion(one)) - Number(isDeletion(other)));
    for (const { operation } of ordered) await post(gateway.url, named(operation), token);
    return { answers, named };
  } finally {
    await gateway.close();
    await Promise.all(proxies.map(({ close }) => close()));
    await sandbox.close();
  }
}

function isDeletion({ method, template }: Endpoint): boolean {
  return method === 'DELETE' || template.endsWith('/delete');
}

/** One of everything that the operations of the endpoint table name. */
async function furnish({ store, urls }: Sandbox) {
  const { id: account } = store.createAccount({ modules: ['crm', 'cms', 'organize', 'mail', 'kb', 'marketing'] });
  const permissions = ['account_settings', 'dashboard_advanced', 'crm_notes_index', 'todo'] as const;
  const { token } = store.createUser({ account, permissions });
  store.createUser({ account, ...FORUM_LOGIN });
  const { id: category } = store.createForumCategory(account, 'Ideas');
  const { id: db } = store.createFlexDatabase(account, {
    name: 'Shop',
    code: 'shop',
    schema: { fields: { note: 'text' } },
    public_methods: { list: true, get: true, create: true, update: true, delete: true, search: true },
  });
  const [record = ''] = store.createFlexRecords(db, [{ note: 'x' }, { note: 'y' }]);
  for (const [path, body] of [
    ['/app/clients.json', { client: { name: 'One' } }],
    ['/app/deals.json', { deal: { name: 'One', client_id: 1 } }],
    ['/app/contacts.json', { contact: { name: 'One', client_id: 1 } }],
    ['/app/contact_lists.json', { contact_list: { name: 'One' } }],
    ['/app/posts.json', { post: { title: 'One', category_id: category } }],
  ] as const) {
    await fetch(`${urls.crm}${path}`, jsonPost({ api_token: token, ...body }));
  }
  const dashboard = jsonPost({ dashboard: { name: 'Board' } }, { authorization: `Bearer ${token}` });
  await fetch(`${urls.account}/toolkit/dashboards.json`, dashboard);
  const named = (operation: string) => operation.replace('DB', db).replace('RECORD', record).replace('FORUM_POST', '1');
  return { token, named };
}

function jsonPost(body: object, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

async function post(url: string, query: string, token: string): Promise<void> {
  const login = Buffer.from(`${FORUM_LOGIN.login}:${FORUM_LOGIN.password}`).toString('base64');
  const headers = { authorization: `Bearer ${token}`, 'x-forum-authorization': `Basic ${login}` };
  const response = await fetch(`${url}/graphql`, jsonPost({ query }, headers));
  const { errors } = await response.json();
  if (errors !== undefined) throw new Error(`The sandbox refuses ${query}: ${JSON.stringify(errors)}`);
}

/** Passes requests on to an API, and keeps the longest good answer of each endpoint. */
function recordingProxy(api: ApiName, target: string, answers: Map<Endpoint, Faithful>) {
  return listen(async ({ method, url, headers, body }, socket) => {
    const sent = Object.entries(headers).filter(([name]) => /^(authorization|content-type|cookie|x-forw)/.test(name));
    const response = await fetch(`${target}${url}`, {
      method,
      headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
      ...(body !== '' && { body }),
    });
    const contentType = response.headers.get('content-type') ?? '';
    const text = await response.text();
    const endpoint = endpointOf(api, method, url.split('?')[0] ?? '');
    const known = endpoint && answers.get(endpoint);
    const saysMore = text.length > (known?.body.length ?? -1) && (response.ok || !known);
    if (endpoint && saysMore) answers.set(endpoint, { status: response.status, contentType, body: text });
    const head = `HTTP/1.1 ${response.status} OK\r\ncontent-type: ${contentType}\r\nconnection: close\r\n`;
    const length = response.status === 204 ? '' : `content-length: ${Buffer.byteLength(text)}\r\n`;
    socket.end(`${head}${length}\r\n${text}`);
  });
}

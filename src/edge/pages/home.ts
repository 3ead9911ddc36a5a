import { readFileSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { sharesToken, type Upstreams } from '../../apis/upstreams.ts';
import { CLIENT, data, html, ICON, NOTHING } from './html.ts';

/** The credentials of the demo data, as the page at `/` shows them. */
export interface DemoCredentials {
  readonly tokens: readonly { readonly token: string; readonly may: string }[];
  readonly forumAuthorization: string;
}

/** The policy of the page: its own script, styles and icon, and requests to this gateway. */
export const HOME_POLICY = `${NOTHING}; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'`;

/** Reads a file of the page. */
export function homeFile(name: 'home.html' | 'home.css' | 'home.js'): string {
  return readFileSync(new URL(name, CLIENT), 'utf8');
}

/** Renders the page at `/`: the endpoint, the credentials and where the rest stands. Its script adds the state of each API. */
export function renderHome(config: Config, upstreams: Pick<Upstreams, 'reports'>, demo?: DemoCredentials): string {
  const isPublic = config.PUBLIC === 'true';
  const settings = {
    subject: subject(config, upstreams),
    apis: upstreams.reports().map(({ api: { name, setting }, url }) => ({
      name,
      setting,
      address: url && `${url.origin}${url.pathname === '/' ? '' : url.pathname}`,
    })),
    credentials: isPublic ? [] : credentials(config),
    demo: isPublic ? undefined : demo,
  };
  const values = new Map([
    ['icon', ICON],
    ['text', html`${renderIndex(config, upstreams)}`.text],
    ['settings', data('settings', settings).text],
  ]);
  return homeFile('home.html').replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => values.get(name) ?? '');
}

function credentials(config: Config) {
  const more = sharesToken(config) ? '; without it, Authorization serves the CRM, too' : '';
  return [
    { api: 'account, flex', header: 'Authorization: Bearer <API_TOKEN>', more: '' },
    { api: 'crm', header: 'X-CRM-Token: <API_TOKEN>', more },
    { api: 'forum', header: 'X-Forum-Authorization: Basic <login:password in base64>', more: '' },
  ];
}

/** Renders the text at `/` for programs: what is where. */
export function renderIndex(config: Config, upstreams: Pick<Upstreams, 'reports'>): string {
  const { BASE_PATH } = config;
  return `trivium: ${subject(config, upstreams)}

${BASE_PATH}/graphql         GraphQL: POST {"query":"{ __typename }"} as application/json. A browser gets GraphiQL
${BASE_PATH}/schema.graphql  the schema, for tools
${BASE_PATH}/health          the process runs
${BASE_PATH}/ready           it takes requests; the state of each API
${BASE_PATH}/                this text. A browser gets a page with the state of each API and the headers of credentials

Documentation is in the docs folder of the project: queries.md, credentials.md, errors.md, settings.md.
`;
}

function subject({ PUBLIC, SUBGRAPH }: Config, upstreams: Pick<Upstreams, 'reports'>): string {
  if (PUBLIC === 'true') return 'The public methods of databases as one GraphQL endpoint. It reads no credentials.';
  const subgraph = SUBGRAPH === 'true' ? ', as a subgraph of Apollo Federation 2' : '';
  return `One GraphQL endpoint over ${upstreams.reports().length} APIs${subgraph}.`;
}

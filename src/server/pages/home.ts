import type { UpstreamReport } from '../../upstreams/upstreams.ts';
import { hashSource, Html, html, NOTHING } from './html.ts';

/** The styles of the page at `/`: in the page itself, so that it needs no second request. */
const HOME_STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --card: #f6f8fa; --link: #0550ae;
  --good: #116329; --bad: #a40e26; --page: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --quiet: #9da7b3; --line: #3d444d; --card: #151b23; --link: #79b8ff; --good: #56d364;
    --bad: #ff9492; --page: #0d1117; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { margin: 0; font-size: 1.75rem; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.15rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: 0.25rem 0; }
a { color: var(--link); }
code { font: 0.875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 0.5rem 0; padding: 0.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  white-space: pre-wrap; }
.quiet { color: var(--quiet); }
.good { color: var(--good); }
.bad { color: var(--bad); }
ul.cards, ul.links { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.75rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
.cards li { padding: 0.75rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
ul.links { grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); }
.links a { display: block; padding: 0.6rem 1rem; border: 1px solid var(--line); border-radius: 6px; text-decoration: none; }
.links a:hover, .links a:focus-visible { border-color: var(--link); }
.links strong { display: block; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; }
`;

/** The credentials of the demo data, as the page at `/` shows them. */
export interface DemoCredentials {
  readonly tokens: readonly { readonly token: string; readonly may: string }[];
  readonly forumAuthorization: string;
}

/** The content of the page. */
export interface Home {
  readonly apis: readonly UpstreamReport[];
  readonly demo: DemoCredentials | undefined;
  /** Whether `Authorization` serves the CRM, too. */
  readonly crmSharesToken: boolean;
  readonly isSubgraph: boolean;
  /** Whether the anonymous schema is served: no credential is read. */
  readonly isPublic: boolean;
  readonly basePath: string;
  readonly scheme: 'http' | 'https';
  /** The Host header of the request. */
  readonly host: string | undefined;
  /** The time, as `performance.now()` tells it. */
  readonly now: number;
}

/** Without a space of its own: the policy names the hash of all that is in it. */
const STYLE = new Html(`<style>${HOME_STYLE}</style>`);

/** The policy of the page: its own styles and icon, no script, nothing from elsewhere. */
export const HOME_POLICY = `${NOTHING}; style-src ${hashSource(HOME_STYLE)}; img-src data:`;

const SUBGRAPH = ', as a subgraph of Apollo Federation 2';

const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0550ae"/><path d="M3 4h10v2H9v7H7V6H3z" fill="#fff"/></svg>';

/** A letter t on a square: an address in a page, so that a browser asks for no /favicon.ico. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}`;

/** Renders the page at `/`: the endpoint, the state of each API, the credentials, and where the rest stands. */
export function renderHome(home: Home): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>trivium</title>
        <link rel="icon" href="${ICON}" />
        ${STYLE}
      </head>
      <body>
        <main>
          <h1>trivium</h1>
          <p>
            ${subject(home)} Send operations by <code>POST</code> to <code>${home.basePath}/graphql</code>, as JSON.
          </p>
          ${links()} ${states(home)} ${home.isPublic ? html`` : credentials(home)}
          ${home.demo ? demo(home.demo, home) : html``} ${documentation(home)}
        </main>
      </body>
    </html> `.text;
}

/** Renders the text at `/` for programs: what is where. */
export function renderIndex(served: Pick<Home, 'apis' | 'basePath' | 'isPublic' | 'isSubgraph'>): string {
  const { basePath } = served;
  return `trivium: ${subject(served)}

${basePath}/graphql         GraphQL: POST {"query":"{ __typename }"} as application/json. A browser gets GraphiQL
${basePath}/schema.graphql  the schema, for tools
${basePath}/health          the process runs
${basePath}/ready           it takes requests; the state of each API
${basePath}/                this text. A browser gets a page with the state of each API and the headers of credentials

Documentation is in the docs folder of the project: queries.md, credentials.md, errors.md, settings.md.
`;
}

function subject({ apis, isPublic, isSubgraph }: Pick<Home, 'apis' | 'isPublic' | 'isSubgraph'>): string {
  if (isPublic) return 'The public methods of databases as one GraphQL endpoint. It reads no credentials.';
  return `One GraphQL endpoint over ${apis.length} APIs${isSubgraph ? SUBGRAPH : ''}.`;
}

function documentation({ isPublic }: Home): Html {
  const pages = isPublic
    ? html`<code>typed-flex.md</code> has the types, <code>errors.md</code> the errors`
    : html`<code>queries.md</code> has queries and their answers, <code>credentials.md</code> the headers,
        <code>errors.md</code> the errors, <code>settings.md</code> the settings`;
  return html`<h2>Documentation</h2>
    <p>In the <code>docs</code> folder of the project: ${pages}.</p>`;
}

function links(): Html {
  const entries = [
    ['graphql', 'GraphiQL', 'try queries here'],
    ['schema.graphql', 'Schema', 'the types, for tools'],
    ['health', '/health', 'the process runs'],
    ['ready', '/ready', 'it takes requests'],
  ] as const;
  const items = entries.map(
    ([path, name, about]) =>
      html`<li>
        <a href="${path}"><strong>${name}</strong> <span class="quiet">${about}</span></a>
      </li>`,
  );
  return html`<nav aria-label="Pages">
    <h2>Pages</h2>
    <ul class="links">
      ${items}
    </ul>
  </nav>`;
}

function states({ apis, demo, now }: Home): Html {
  const cards = apis.map(
    (api) =>
      html`<li>
        <h3>${api.api.name}</h3>
        <p>${address(api, demo !== undefined)}</p>
        <p>${reachability(api, now)}</p>
      </li>`,
  );
  return html`<h2>APIs</h2>
    <p class="quiet">As this process saw them last: the page itself calls nothing.</p>
    <ul class="cards">
      ${cards}
    </ul>`;
}

function address({ api, url }: UpstreamReport, isSandbox: boolean): Html {
  if (!url) return html`not set: set <code>${api.setting}</code>`;
  const shown = html`<code>${url.origin}${url.pathname === '/' ? '' : url.pathname}</code>`;
  return isSandbox ? html`sandbox, ${shown}` : shown;
}

function reachability({ state, last }: UpstreamReport, now: number): Html {
  if (!last) return html`<span class="quiet">cannot be called</span>`;
  const { answeredAt, answerMs, answerStatus, failedAt } = last;
  const answer = `${milliseconds(answerMs)}, ${ago(now - answeredAt)}`;
  if (state === 'open') return html`<span class="bad">not called for now: it failed too often</span>`;
  if (failedAt > answeredAt)
    return html`<span class="bad">unreachable: the last call failed ${ago(now - failedAt)}</span>`;
  if (answerStatus >= 500) return html`<span class="bad">failing</span>: answered with ${answerStatus} in ${answer}`;
  if (answeredAt > 0) return html`<span class="good">reachable</span>: last answer in ${answer}`;
  return html`<span class="quiet">not called yet</span>`;
}

function milliseconds(ms: number): string {
  return `${ms < 100 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
}

function ago(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 1) return 'just now';
  if (seconds < 120) return `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}

function credentials({ crmSharesToken }: Home): Html {
  const crm = crmSharesToken ? html`; without it, <code>Authorization</code> serves the CRM, too` : html``;
  return html`<h2>Credentials</h2>
    <p>The gateway has none of its own: it passes on those of each request, in these headers.</p>
    <table>
      <thead>
        <tr>
          <th scope="col">API</th>
          <th scope="col">Header</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>account, flex</td>
          <td><code>Authorization: Bearer &lt;API_TOKEN&gt;</code></td>
        </tr>
        <tr>
          <td>crm</td>
          <td><code>X-CRM-Token: &lt;API_TOKEN&gt;</code>${crm}</td>
        </tr>
        <tr>
          <td>forum</td>
          <td><code>X-Forum-Authorization: Basic &lt;login:password in base64&gt;</code></td>
        </tr>
      </tbody>
    </table>`;
}

function demo({ tokens, forumAuthorization }: DemoCredentials, { basePath, scheme, host }: Home): Html {
  const rows = tokens.map(
    ({ token, may }) =>
      html`<tr>
        <td><code>Authorization: Bearer ${token}</code></td>
        <td>${may}</td>
      </tr>`,
  );
  // The command is to be pasted into a shell, which must find nothing but an address in it.
  const endpoint = `${scheme}://${host !== undefined && /^[\w.:[\]-]+$/.test(host) ? host : '127.0.0.1'}${basePath}/graphql`;
  return html`<h2>Credentials of the sandbox</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Header</th>
          <th scope="col">The caller may</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
        <tr>
          <td><code>X-Forum-Authorization: ${forumAuthorization}</code></td>
          <td>act in the forum as the user demo</td>
        </tr>
      </tbody>
    </table>
    <pre><code>curl -s ${endpoint} \\
  -H 'Authorization: Bearer ${tokens[0]?.token ?? ''}' \\
  -H 'Content-Type: application/json' \\
  -d '{"query":"{ apiTokens { name tokenInfo } }"}'</code></pre>`;
}

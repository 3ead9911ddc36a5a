import type { SeededCaller } from '../seeding.ts';

/** The contents of the page. */
export interface About {
  /** The sandbox's first port, as the browser knows it. */
  readonly url: string;
  /** Whether the data is kept in a file. */
  readonly isKept: boolean;
  readonly callers: readonly SeededCaller[];
  readonly apis: readonly { readonly name: string; readonly url: string; readonly endpoints: readonly string[] }[];
}

const styles = `
:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { line-height: 1.2; }
h2 { margin-top: 2.5rem; }
code, pre { font: .875rem/1.6 ui-monospace, monospace; }
pre { margin: .5rem 0; padding: .75rem; border: 1px solid; border-radius: .25rem; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; margin-bottom: .5rem; }
th, td { padding: .375rem .75rem .375rem 0; border-bottom: 1px solid; text-align: left; vertical-align: top; }
@media (max-width: 30rem) { table { font-size: .8125rem; } table code { font-size: .75rem; } th, td { padding-right: .5rem; } }
.wide { overflow-x: auto; overflow-wrap: normal; }
ul { margin: 0; padding: 0; list-style: none; }
@media (min-width: 50rem) { ul { columns: 2; } li { break-inside: avoid; } }
`;

/** The page for a browser at the sandbox's first port. It loads nothing, links to nothing, and runs no script. */
export function sandboxPage({ url, isKept, callers, apis }: About): string {
  const endpoint = 'GET /app/clients.json';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The sandbox of trivium</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>The sandbox of trivium</h1>
<p>It stands in for the ${apis.length} APIs that trivium calls, with data of its own. This is not the
GraphQL endpoint: the gateway prints its address when it starts.</p>
<p>${isKept ? 'The data is kept in a file.' : 'The data is in memory, and gone with the process. <code>trivium sandbox --data FILE</code> keeps it.'}</p>
<h2>Callers</h2>
${callersTable(callers)}
<h2>Tests</h2>
<p>These commands work from this machine alone.</p>
<h3>Back to the first data, without faults and calls</h3>
${command(`-X POST ${url}/sandbox/reset`)}
<h3>Make an endpoint fail</h3>
<p><code>status</code>, <code>delayMs</code>, <code>cut</code> or <code>applyThenCut</code>; <code>times</code> is optional.</p>
${command(`${url}/sandbox/faults -d '${JSON.stringify({ endpoint, status: 503, times: 2 })}'`)}
${command(`${url}/sandbox/faults`)}
${command(`-X DELETE ${url}/sandbox/faults`)}
<h3>The last calls</h3>
${command(`${url}/sandbox/calls`)}
${command(`-X DELETE ${url}/sandbox/calls`)}
<h2>Endpoints</h2>
${apis.map(apiSection).join('\n')}
</main>
</body>
</html>
`;
}

function callersTable(callers: readonly SeededCaller[]): string {
  if (callers.length === 0) return '<p>There are none.</p>';
  const rows = callers.map(({ name, permissions, token, login, password }) => {
    const credential = login === undefined ? '' : `${code(login)} / ${code(password ?? '')}`;
    const held = permissions.length === 0 ? 'none' : permissions.map(code).join(', ');
    return `<tr><th scope="row">${escape(name)}</th><td>${token === undefined ? '' : code(token)}</td><td>${credential}</td><td>${held}</td></tr>`;
  });
  return `<div class="wide" role="region" aria-label="Callers" tabindex="0">
<table>
<caption>The users that the data begins with. The CRM takes the token as <code>api_token</code>, in the query or the body;
the other APIs take <code>Authorization: Bearer</code>, and the forum login and password.</caption>
<thead><tr><th scope="col">User</th><th scope="col">Token</th><th scope="col">Login / password</th><th scope="col">Permissions</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</div>`;
}

function apiSection({ name, url, endpoints }: About['apis'][number]): string {
  const items = endpoints.map((endpoint) => `<li>${code(endpoint)}</li>`);
  return `<h3>${escape(name)}</h3>
<p>At ${code(url)}</p>
<ul>
${items.join('\n')}
</ul>`;
}

function command(args: string): string {
  return `<pre><code>curl ${escape(args)}</code></pre>`;
}

function code(text: string): string {
  return `<code>${escape(text)}</code>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

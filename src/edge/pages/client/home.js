// Fills the page at `/`: with the settings that it holds, and with the state of each API in `/ready`.

/**
 * @typedef {object} Settings
 * @property {string} subject what the endpoint serves
 * @property {{ name: string, setting: string, address?: string }[]} apis those that the schema shows
 * @property {{ api: string, header: string, more: string }[]} credentials the headers; none where no credential is read
 * @property {{ tokens: { token: string, may: string }[], forumAuthorization: string }} [demo] of the sandbox
 */

/**
 * An API in the body of `/ready`.
 *
 * @typedef {object} Readiness
 * @property {'ok' | 'failing' | 'open'} state what its last calls say
 * @property {{ answered?: { at: string, status: string, ms: number }, failed?: { at: string } }} last the ends of its last calls
 */

/** @type {Settings} */
const { subject, apis, credentials, demo } = JSON.parse(document.querySelector('#settings')?.textContent ?? '');

/**
 * @param {string} tag
 * @param {string} className
 * @param {(string | Node)[]} content
 */
function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

const code = (/** @type {string} */ text) => element('code', '', text);

/**
 * Shows a section of the page with this content in one of its elements.
 *
 * @param {string} section
 * @param {string} selector
 * @param {(string | Node)[]} content
 */
function show(section, selector, content) {
  document.querySelector(section)?.removeAttribute('hidden');
  document.querySelector(`${section} ${selector}`)?.append(...content);
}

const row = (/** @type {Node} */ first, /** @type {(string | Node)[]} */ ...second) =>
  element('tr', '', element('td', '', first), element('td', '', ...second));

/** @param {number} ms since then, by the clock of the gateway */
function ago(ms) {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 1) return 'just now';
  if (seconds < 120) return `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}

/**
 * @param {Readiness | undefined} api
 * @param {number} now by the clock of the gateway
 * @returns {(string | Node)[]}
 */
function reachability(api, now) {
  if (!api) return [element('span', 'quiet', 'cannot be called')];
  const { answered, failed } = api.last;
  const since = (/** @type {string} */ at) => ago(now - Date.parse(at));
  if (api.state === 'open') return [element('span', 'bad', 'not called for now: it failed too often')];
  if (failed && (!answered || failed.at > answered.at))
    return [element('span', 'bad', `unreachable: the last call failed ${since(failed.at)}`)];
  if (!answered) return [element('span', 'quiet', 'not called yet')];
  const took = `${answered.ms} ms, ${since(answered.at)}`;
  if (api.state === 'failing')
    return [element('span', 'bad', 'failing'), `: answered with ${answered.status} in ${took}`];
  return [element('span', 'good', 'reachable'), `: last answer in ${took}`];
}

async function showApis() {
  const response = await fetch('ready');
  const now = Date.parse(response.headers.get('date') ?? '');
  /** @type {{ upstreams: Record<string, Readiness> }} */
  const { upstreams } = await response.json();
  const cards = apis.map(({ name, setting, address }) => {
    const where = address ? [demo ? 'sandbox, ' : '', code(address)] : ['not set: set ', code(setting)];
    const state = reachability(upstreams[name], now);
    return element('li', '', element('h3', '', name), element('p', '', ...where), element('p', '', ...state));
  });
  show('#apis', 'ul', cards);
}

const endpoint = new URL('graphql', location.href);
document.querySelector('#subject')?.append(subject);
document.querySelector('#endpoint')?.replaceChildren(endpoint.pathname);
if (credentials.length > 0)
  show(
    '#credentials',
    'tbody',
    credentials.map(({ api, header, more }) => row(element('span', '', api), code(header), more)),
  );
if (demo) {
  const tokens = demo.tokens.map(({ token, may }) => row(code(`Authorization: Bearer ${token}`), may));
  const forum = row(code(`X-Forum-Authorization: ${demo.forumAuthorization}`), 'act in the forum as the user demo');
  show('#demo', 'tbody', [...tokens, forum]);
  const command = `curl -s ${endpoint.href} \\
  -H 'Authorization: Bearer ${demo.tokens[0]?.token ?? ''}' \\
  -H 'Content-Type: application/json' \\
  -d '{"query":"{ apiTokens { name tokenInfo } }"}'`;
  show('#demo', 'pre code', [command]);
}
try {
  await showApis();
} finally {
  document.querySelector('main')?.removeAttribute('aria-busy');
}

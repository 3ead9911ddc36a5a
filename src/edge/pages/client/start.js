// Starts GraphiQL with the settings that the page holds.

/**
 * @typedef {object} Settings
 * @property {{ headers?: string, defaultTabs?: { variables?: string }[] }} options the properties of GraphiQL
 * @property {Record<string, string>} workers the paths of the editor's workers, by their labels
 */

/**
 * Defined by GraphiQL's bundle.
 *
 * @typedef {{ renderYogaGraphiQL(root: Element | null, options: object): void }} YogaGraphiql
 */

/** @type {Settings} */
const settings = JSON.parse(document.querySelector('#settings')?.textContent ?? '');

// GraphiQL stores its tabs at once, but the query of the active tab only after an edit. A reload before that edit opens an
// extra, empty tab. Without the stored tabs GraphiQL opens its default tabs. The variables of the first it takes from here.
if (!localStorage.getItem('graphiql:query')) {
  localStorage.removeItem('graphiql:tabState');
  localStorage.setItem('graphiql:variables', settings.options.defaultTabs?.[0]?.variables ?? '');
}

Reflect.set(globalThis, 'MonacoEnvironment', {
  getWorkerUrl: (/** @type {string} */ _module, /** @type {string} */ label) => settings.workers[label],
});

/**
 * Where GraphiQL's history is stored: `{ "queries": [{ "query": …, "headers": … }] }`. GraphiQL stores the headers, with
 * the credentials, whatever `shouldPersistHeaders` says. Here they are left out, and read as those that the page opens with.
 */
const HISTORY = ['graphiql:queries', 'graphiql:favorites'];

const storage = {
  get length() {
    return localStorage.length;
  },
  clear: () => localStorage.clear(),
  removeItem: (/** @type {string} */ name) => localStorage.removeItem(name),
  getItem: (/** @type {string} */ name) => {
    const stored = localStorage.getItem(name);
    return stored && HISTORY.includes(name) ? withHeaders(stored, settings.options.headers) : stored;
  },
  setItem: (/** @type {string} */ name, /** @type {string} */ value) =>
    localStorage.setItem(name, HISTORY.includes(name) ? withHeaders(value, undefined) : value),
};

/**
 * @param {string} history
 * @param {string | undefined} headers
 */
function withHeaders(history, headers) {
  /** @type {[string, object[]][]} */
  const lists = Object.entries(JSON.parse(history));
  return JSON.stringify(
    Object.fromEntries(lists.map(([name, items]) => [name, items.map((item) => ({ ...item, headers }))])),
  );
}

// On a phone the query and its answer need the space of the headers, which one touch opens.
const isNarrow = matchMedia('(max-width: 700px)').matches;
const options = {
  ...settings.options,
  ...(isNarrow && { defaultEditorToolsVisibility: false }),
  storage,
  plugins: undefined, // GraphiQL's own: the history, which Yoga leaves out
};

/** @type {YogaGraphiql} */
const graphiql = Reflect.get(globalThis, 'YogaGraphiQL');
graphiql.renderYogaGraphiQL(document.querySelector('#root'), options);

// Shows the trace of the last operation below the answer: one row for each upstream call, on an axis of time.

/**
 * An upstream call, as docs/queries.md describes it.
 *
 * @typedef {object} Call
 * @property {string} api the name of the API
 * @property {string} endpoint the method and the template of the path
 * @property {number} startMs from the begin of the operation
 * @property {number} durationMs the wait for a connection included
 * @property {number | null} bytes the size of the response
 * @property {number | null} status of the response
 * @property {string} [error] the code of a call without a response
 * @property {boolean} shared whether another operation began the call
 * @property {{ reads: number, reason: string }} [insteadOf] the reads by id that the list replaces
 * @property {string[]} paths the fields that waited for the call
 * @property {number} [pathsOmitted] the number of further fields
 */

/** @typedef {{ operation: string | null, totalMs: number, ownMs: number, calls: Call[] }} Trace */

const COLUMNS = ['Call', 'Time', 'Answer', 'Response paths'];

const panel = element('details', { id: 'waterfall' });
const summary = element('span', { role: 'status' });
const rows = element('tbody', { role: 'rowgroup' });
const scale = element('span', { class: 'scale' });
const table = tableOf();

/** @param {CustomEvent<Trace | null | undefined>} event */
const onTrace = ({ detail: trace }) => {
  if (trace) show(trace);
  else say(trace === null ? 'The answer has no trace.' : 'The answer is under way.');
};
window.addEventListener('trivium:trace', (event) => event instanceof CustomEvent && onTrace(event));

const area = element('div', { class: 'calls', role: 'region', 'aria-label': 'Upstream calls', tabindex: '0' });
area.append(table);
const title = element('summary');
title.append(element('strong', {}, 'Upstream calls'), ' ', summary);
panel.append(title, area);
document.querySelector('#waterfall')?.replaceWith(panel);
panel.open = matchMedia('(min-width: 701px)').matches; // on a phone the answer needs the space
const traces = document.body.dataset['traces'] === 'true';
say(traces ? 'Run an operation to see what it calls.' : 'To see what an operation calls, set TRACE=true.');

/** @param {string} text */
function say(text) {
  summary.textContent = text;
  table.hidden = true;
  rows.replaceChildren();
}

/** @param {Trace} trace */
function show({ operation, totalMs, ownMs, calls }) {
  const count = `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`;
  const name = operation === null ? '' : `${operation}: `;
  summary.textContent = `${name}${count} in ${milliseconds(totalMs)}, own time ${milliseconds(ownMs)}`;
  scale.replaceChildren(element('span', {}, 'Time, from 0'), element('span', {}, milliseconds(totalMs)));
  rows.replaceChildren(...calls.map((call) => row(call, totalMs)));
  table.hidden = calls.length === 0;
}

/**
 * @param {Call} call
 * @param {number} totalMs
 */
function row(call, totalMs) {
  const { api, endpoint, startMs, durationMs, paths, pathsOmitted = 0 } = call;
  const first = element('th', { role: 'rowheader', scope: 'row' });
  first.append(element('span', { class: 'api' }, api), ' ', element('code', {}, endpoint));
  for (const note of notes(call)) first.append(element('span', { class: 'note' }, note));

  const time = element('td', { role: 'cell' });
  const track = element('span', { class: 'track', 'aria-hidden': 'true' });
  const bar = element('span', { class: `bar${isFailure(call) ? ' failed' : ''}${call.shared ? ' shared' : ''}` });
  const percent = (/** @type {number} */ ms) => `${totalMs > 0 ? Math.min(100, (100 * ms) / totalMs) : 0}%`;
  bar.style.left = percent(startMs);
  bar.style.width = percent(Math.min(durationMs, totalMs - startMs));
  track.append(bar);
  time.append(track);
  const answer = element(
    'td',
    { role: 'cell' },
    `${milliseconds(durationMs)} from ${milliseconds(startMs)}${outcome(call)}`,
  );

  const served = element('td', { role: 'cell', class: 'paths' });
  for (const path of paths) served.append(element('code', {}, path));
  if (pathsOmitted > 0) served.append(element('span', { class: 'note' }, `and ${pathsOmitted} more`));

  const line = element('tr', { role: 'row' });
  line.append(first, time, answer, served);
  return line;
}

/** @param {Call} call */
function notes({ shared, insteadOf }) {
  return [
    ...(shared ? ['shared with another operation'] : []),
    ...(insteadOf ? [`a list instead of ${insteadOf.reads} reads: ${insteadOf.reason}`] : []),
  ];
}

/** @param {Call} call */
function outcome({ status, bytes, error }) {
  return [
    ...(error === undefined ? [] : [`, ${error}`]),
    ...(status === null ? [] : [`, status ${status}`]),
    ...(bytes === null ? [] : [`, ${size(bytes)}`]),
  ].join('');
}

/** @param {Call} call */
function isFailure({ error, status }) {
  return error !== undefined || (status !== null && status >= 400);
}

/** @param {number} ms */
function milliseconds(ms) {
  return `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;
}

/** @param {number} bytes */
function size(bytes) {
  return bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;
}

/** The roles are said, because the styles for narrow windows take them from the elements. */
function tableOf() {
  const made = element('table', { role: 'table', 'aria-label': 'Upstream calls of the last operation' });
  const head = element('thead', { role: 'rowgroup' });
  const line = element('tr', { role: 'row' });
  for (const column of COLUMNS) line.append(element('th', { role: 'columnheader', scope: 'col' }, column));
  line.children[1]?.replaceChildren(scale);
  head.append(line);
  made.append(head, rows);
  return made;
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} attributes
 * @param {string} [text]
 */
function element(name, attributes = {}, text = '') {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(text);
  return made;
}

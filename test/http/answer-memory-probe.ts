// Prints how much memory parsed bodies take, and what was estimated, as JSON: `node --expose-gc`. In a process of its own,
// as the heap of many tests is slow to collect and never still.
import { setImmediate } from 'node:timers/promises';
import { records } from '../../src/formats/decode.ts';
import type { Format } from '../../src/formats/format.ts';
import { MEMORY_PER_BYTE } from '../../src/calls/cache/response-cache.ts';
import { json } from '../../src/formats/json.ts';
import { xml } from '../../src/formats/xml.ts';

/** In bytes; `texts` is the number of bodies. */
export interface Measured {
  readonly name: string;
  readonly texts: number;
  readonly used: number;
  readonly estimate: number;
}

const { gc } = globalThis;

async function heapBytes(): Promise<number> {
  await setImmediate(); // the results of promises are let go
  await gc?.();
  await gc?.(); // what the first one made unreachable
  return process.memoryUsage().heapUsed;
}

const ROWS = 15_000;
let unique = 0;
const rows = (row: (index: number) => string, length = ROWS) => [
  `[${Array.from({ length }, (_none, at) => row(at)).join()}]`,
];
const bodies = (body: (index: number) => string) => Array.from({ length: ROWS }, (_none, at) => body(at));
const xmlRows = (row: (index: number) => string) => [
  `<posts type="array">${Array.from({ length: ROWS }, (_none, at) => row(at)).join('')}</posts>`,
];
const wide = (index: number) =>
  `{"id":${index},${Array.from({ length: 40 }, (_none, at) => `"text${at}":${at % 3 ? `"value ${at}"` : null}`).join()}}`;

const body = (text: string) => ({ body: [Buffer.from(text)], contentType: '', contentEncoding: '' });

async function measured(name: string, format: Format<unknown>, given: readonly string[]): Promise<Measured> {
  let estimate = 0;
  const parsedOf = async (text: string) => {
    estimate += MEMORY_PER_BYTE * Buffer.byteLength(text);
    const parsed = await format.parse(body(text), 'CRM_URL', (bytes) => void (estimate += bytes));
    return [parsed, Array.isArray(parsed) && typeof parsed[0] === 'object' ? await records(parsed) : []];
  };
  const before = await heapBytes();
  const kept: unknown[][] = [];
  for (const text of given) kept.push(await parsedOf(text));
  const used = (await heapBytes()) - before;
  return { name, texts: kept.length, used, estimate };
}

const cases: readonly (readonly [name: string, format: Format<unknown>, texts: () => readonly string[]])[] = [
  ['rows of many fields', json, () => rows(wide, 2_000)],
  ['rows with an id', json, () => rows((at) => `{"id":${at + 1}}`)],
  ['empty objects', json, () => rows(() => '{}')],
  ['empty lists', json, () => rows(() => '[]')],
  ['short texts', json, () => rows((at) => `"${at}"`)],
  ['texts beyond Latin-1', json, () => rows((at) => `"Ż${'a'.repeat(40)}${at}"`)],
  ['rows with keys of their own', json, () => rows(() => `{"key${(unique += 1)}":1}`)],
  ['rows with numbers as keys', json, () => rows((at) => `{"${at * 100 + 9_999}":1}`)],
  ['single records with keys of their own', json, () => bodies(() => `{"key${(unique += 1)}":1}`)],
  ['a page of suggestions', xml, () => xmlRows((at) => `<post><id type="integer">${at}</id><title>t</title></post>`)],
  ['empty elements', xml, () => xmlRows(() => '<a/>')],
  ['attributes', xml, () => xmlRows((at) => `<a b${at % 4_000}="1" c="2"/>`)],
  ['texts of elements', xml, () => xmlRows((at) => `<a>Żółw ${at} &amp; &#243;</a>`)],
];

// The parsers are compiled before anything is measured.
records(await json.parse(body('[{"id":1}]'), 'CRM_URL'));
await xml.parse(body('<a b="1">&#243;</a>'), 'FORUM_URL');
await heapBytes();

const results: Measured[] = [];
for (const [name, format, texts] of cases) results.push(await measured(name, format, texts()));
process.stdout.write(JSON.stringify(results));

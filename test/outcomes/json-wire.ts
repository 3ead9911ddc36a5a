import type { Wire } from './support.ts';

/** The keys of the records, by the beginning of the path. */
const KEYS: readonly (readonly [path: RegExp, key: string])[] = [
  [/^\/app\/clients/, 'client'],
  [/^\/app\/deals/, 'deal'],
  [/^\/app\/contacts/, 'contact'],
  [/^\/app\/contact_lists/, 'contact_list'],
  [/^\/app\/posts/, 'post'],
  [/^\/app\/account/, 'account'],
  [/^\/account\/api_tokens/, 'api_token'],
  [/^\/account\/set_field/, 'setting'],
  [/^\/toolkit/, 'dashboard'],
  [/^\/flex\/dbs\/\d+\/records/, 'record'],
  [/^\/flex\/dbs/, 'db'],
  [/^\/flex\/db\//, 'record'],
];

const old = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, old(each)]))
    : (value ?? 'old') && 'old';

/** The records of the three APIs that speak JSON. */
export const json: Wire = {
  type: 'application/json',
  encode: (body) => JSON.stringify(body),
  written: (path, text) => {
    const [, key = ''] = KEYS.find(([start]) => start.test(path)) ?? [];
    const body = text === '' ? {} : JSON.parse(text);
    const fields = body[key] ?? ('data' in body ? { data: body.data } : {});
    return { key, fields, old: Object(old(fields)) };
  },
  read: (path, fields) => {
    const isList = path.includes('/records.json') || /api_tokens\.json/.test(path);
    if (isList) return JSON.stringify(fields ? [{ id: 11, ...fields }] : []);
    return fields && JSON.stringify({ id: 11, for_account: false, ...fields });
  },
};

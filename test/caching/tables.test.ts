import { expect, test } from 'vitest';
import { ResponseCaches, tables } from '../../src/apis/response-caches.ts';
import { account } from '../endpoints/account.ts';
import { crm } from '../endpoints/crm.ts';
import { flex, publicFlex } from '../endpoints/flex.ts';
import { forum } from '../endpoints/forum.ts';
import { testConfig } from '../support/gateway.ts';
import { reads } from './reads.ts';
import { writes } from './writes.ts';

const endpointsOf = (rows: Readonly<Record<string, readonly [endpoint: string, ...unknown[]]>>) =>
  Object.values(rows).map(([endpoint]) => endpoint);

/** All endpoints that the documents have, by API. */
const documented = {
  account: endpointsOf(account),
  flex: [...endpointsOf(flex), ...endpointsOf(publicFlex)],
  crm: endpointsOf(crm),
  forum: endpointsOf(forum),
};

const rowsOf = (kind: 'reads' | 'writes') => Object.values(tables).flatMap((table) => Object.keys(table[kind]));

test.each(['account', 'flex', 'crm', 'forum'] as const)('each endpoint of the %s API has one row', (api) => {
  const { reads: shown, writes: changed } = tables[api];
  expect([...Object.keys(shown), ...Object.keys(changed)].sort()).toEqual([...documented[api]].sort());
});

test('a row of a read is GET, but for public methods', () => {
  const others = rowsOf('reads').filter((endpoint) => !endpoint.startsWith('GET '));
  expect(others).toEqual(endpointsOf(publicFlex).filter((endpoint) => /list$|get$|search$/.test(endpoint)));
  expect(rowsOf('writes').filter((endpoint) => endpoint.startsWith('GET '))).toEqual([]);
});

test('the random sequences try each write, and each read but for public methods', () => {
  expect(Object.keys(writes).sort()).toEqual(rowsOf('writes').sort());
  const gets = rowsOf('reads').filter((endpoint) => endpoint.startsWith('GET '));
  expect(Object.keys(reads).sort()).toEqual(gets.sort());
});

test('a write without a row makes every kept answer stale', () => {
  const answers = new ResponseCaches(testConfig({ CRM_CACHE_TTL_MS: 1_000 }));
  void answers.forget('crm', 'PATCH /app/new.json');
  expect(answers.generations.own('access')).toBe(1);
  for (const endpoint of Object.keys(tables.crm.reads)) {
    expect(answers.subjects.crm.get(endpoint)).toContain('access');
  }
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { accountReads } from '../../src/cli/contract/account.ts';
import { crmReads } from '../../src/cli/contract/crm.ts';
import { flexReads } from '../../src/cli/contract/flex.ts';
import { forumReads } from '../../src/cli/contract/forum.ts';
import { answerModes } from '../../src/sandbox/answers.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { temporaryFolder } from '../cli/trivium.ts';
import { account } from '../endpoints/account.ts';
import { crm } from '../endpoints/crm.ts';
import { flex } from '../endpoints/flex.ts';
import { forum } from '../endpoints/forum.ts';
import { comparedOver, endpointsOf } from './support.ts';

// What the contract knows of the answers, held against the sandbox.

/** No answer names the id of a contact list: the CRM has no list of them. */
const NEVER_NAMED = 'GET /app/contact_lists/:id.json';

const reads = [...accountReads, ...flexReads, ...crmReads, ...forumReads];

async function sandboxWith(options: Parameters<typeof startSandbox>[0]): Promise<Sandbox> {
  const sandbox = await startSandbox({ port: 0, origins: 'own', ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test('each documented endpoint that reads has an entry', () => {
  const rows = [account, flex, crm, forum].flatMap((api) => Object.values(api).map(([endpoint]) => endpoint));
  const documented = rows.filter((endpoint) => endpoint.startsWith('GET '));
  const entries = reads.map(({ endpoint }) => endpoint);
  expect(entries.toSorted()).toEqual([...new Set(documented)].toSorted());
});

test('over the sandbox nothing differs, each key is known, and each endpoint is called once, by GET', async () => {
  const sandbox = await sandboxWith({});
  const { reports, text } = await comparedOver(sandbox);
  expect(endpointsOf(reports, 'same')).toHaveLength(reads.length - 1);
  expect(endpointsOf(reports, 'skipped')).toEqual([NEVER_NAMED]);
  expect(reports.flatMap(({ comparison }) => comparison?.unknownKeys ?? []).filter((count) => count > 0)).toEqual([]);
  expect(text).toContain('\n24 same, 0 differs, 0 failed, 1 skipped.\n');

  expect(sandbox.calls()).toHaveLength(reads.length - 1);
  for (const call of sandbox.calls()) expect(call).toMatch(/^GET /);
});

/** A record of each kind that a read needs. */
const SEED = {
  clients: [{ id: 1, name: 'Ada', contact_id: 1 }],
  contacts: [{ id: 1, name: 'Bob' }],
  deals: [{ name: 'Refit', client_id: 1, price: '12.50' }],
  posts: [{ id: 1, title: 'Oil', content: 'Which one?' }],
  flexDbs: [{ name: 'Shop', records: [{ data: { name: 'Crate' } }] }],
  dashboards: [{ name: 'Sales' }],
  forumCategories: [{ id: 1, name: 'Ideas' }],
  forumPosts: [{ id: 2, title: 'More oil', content: 'Please', category_id: 1 }],
  apiTokens: [],
};

test.each(answerModes.filter((mode) => mode !== 'full'))(
  'over the sandbox that answers %s nothing differs, and only lean has unknown keys',
  async (answers) => {
    const seed = join(await temporaryFolder(), 'seed.json');
    await writeFile(seed, JSON.stringify(SEED));
    const { reports } = await comparedOver(await sandboxWith({ answers, seed }));
    expect(endpointsOf(reports, 'differs')).toEqual([]);
    expect(endpointsOf(reports, 'failed')).toEqual([]);
    expect(endpointsOf(reports, 'skipped')).toEqual([NEVER_NAMED]);
    const withRows = reports.filter(({ comparison }) => comparison?.isEmpty === false);
    const unknown = withRows.filter(({ comparison }) => (comparison?.unknownKeys ?? 0) > 0);
    const inSearch = 'GET /flex/dbs/:db_id/search.json'; // unknown keys would be fields of the data there
    const all = withRows.map(({ endpoint }) => endpoint).filter((endpoint) => endpoint !== inSearch);
    expect(withRows.length).toBeGreaterThan(20);
    expect(unknown.map(({ endpoint }) => endpoint)).toEqual(answers === 'lean' ? all : []);
  },
);

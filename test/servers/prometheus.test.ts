import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { serving, temporaryFolder } from '../cli/trivium.ts';
import { freePort, startRedis, startServer } from './support.ts';

const project = new URL('../../', import.meta.url);

const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

const answer = z.object({
  status: z.literal('success'),
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

/** The operations of the load: answers, errors, refusals, batches, calls to each API. */
const OPERATIONS = [
  'query Deals { deals(first: 10) { nodes { name client { name } } } }',
  'query Missing { deal(id: 987654) { name } }',
  'query Tokens { apiTokens { name } forumPosts { nodes { id } } }',
  'mutation Delete { deleteDeal(id: 987654) { __typename } }',
  '{ nothing }',
];

const ADMIN = { authorization: 'Bearer demo-admin' };

/** Starts Prometheus with the project's configuration over one target. */
async function startPrometheus(target: string): Promise<string> {
  const folder = await temporaryFolder();
  const example = await readFile(new URL('examples/prometheus/prometheus.yml', project), 'utf8');
  expect(example).toContain('127.0.0.1:9464');
  const file = join(folder, 'prometheus.yml');
  await writeFile(file, `global:\n  scrape_interval: 1s\n${example.replace('127.0.0.1:9464', target)}`);
  const address = `127.0.0.1:${await freePort()}`;
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ];
  await startServer('prometheus', args, async () => (await fetch(`http://${address}/-/ready`)).ok);
  return `http://${address}`;
}

async function seriesOf(prometheus: string, query: string): Promise<readonly { value: readonly [number, string] }[]> {
  const response = await fetch(`${prometheus}/api/v1/query?${new URLSearchParams({ query })}`);
  expect(response.status, `${query}: ${await response.clone().text()}`).toBe(200);
  return answer.parse(await response.json()).data.result;
}

async function scrapesOf(prometheus: string): Promise<number> {
  const [scrapes] = await seriesOf(prometheus, 'count_over_time(up[10s])');
  return Number(scrapes?.value[1] ?? 0);
}

test('each expression of the dashboard has a series in a Prometheus that reads a gateway under load', async () => {
  const gateway = await serving({
    METRICS_PORT: '0',
    CRM_CACHE_TTL_MS: '1000',
    REDIS_URL: (await startRedis()).url,
    HASH_SECRET: 'a secret of at least 32 characters',
  });
  const target = /^Metrics are at http:\/\/(\S+)\/metrics$/m.exec(gateway.banner)?.[1] ?? '';
  for (const operation of OPERATIONS) await gateway.ask(operation, ADMIN);
  const prometheus = await startPrometheus(target);
  // Prometheus begins to scrape up to 6 seconds after it is ready. A rate takes two scrapes.
  for (let scrapes = 0; scrapes < 3; scrapes = await scrapesOf(prometheus)) {
    for (const operation of OPERATIONS) await gateway.ask(operation, ADMIN);
    await delay(1_000); // for the next scrape
  }

  expect(await seriesOf(prometheus, 'up')).toMatchObject([{ value: [expect.any(Number), '1'] }]);
  const file = await readFile(new URL('docs/grafana-dashboard.json', project), 'utf8');
  for (const { title, targets } of dashboard.parse(JSON.parse(file)).panels) {
    for (const { expr } of targets) {
      const query = expr.replaceAll('$__rate_interval', '10s').replaceAll('$instance', '.*');
      expect(query, title).not.toContain('$');
      expect((await seriesOf(prometheus, query)).length, `${title}: ${expr}`).toBeGreaterThan(0);
    }
  }
  const [perSecond] = await seriesOf(prometheus, 'sum(rate(trivium_operations_total[10s]))');
  expect(Number(perSecond?.value[1])).toBeGreaterThan(0);
});

test('promtool finds nothing to say about the names, types and units', async () => {
  const gateway = await serving({ METRICS_PORT: '0' });
  for (const operation of OPERATIONS) await gateway.ask(operation, ADMIN);
  const url = /^Metrics are at (\S+)$/m.exec(gateway.banner)?.[1] ?? '';
  const text = await (await fetch(url)).text();
  const { stdout, stderr, status } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
});

test('the configuration for Compose is one of Prometheus', () => {
  const args = ['check', 'config', '--syntax-only', 'deploy/prometheus.yaml'];
  const { stderr, status } = spawnSync('promtool', args, { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
});

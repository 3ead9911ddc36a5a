import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { gatewayOver } from '../support/gateway.ts';
import { DEAD_ADDRESS } from '../support/stub-upstream.ts';
import { METERED, namesIn, served } from './support.ts';

const DOCS = new URL('../../docs/', import.meta.url);

const allMetrics = async () => served(await gatewayOver(DEAD_ADDRESS, METERED));

test('names and labels follow the conventions of Prometheus', async () => {
  const { scrape } = await allMetrics();
  const text = await scrape();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    expect(name, name).toMatch(/^(trivium|process|nodejs)_[a-z_]+$/);
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    if (type === 'histogram') expect(name, name).toMatch(/_seconds$/);
    expect(name, name).not.toMatch(/_(ms|milliseconds|mb|kb)(_|$)/);
  }
  expect(text).not.toMatch(/ (?:Nan|undefined)$/m);
});

test('docs/metrics.md explains each metric, and no other', async () => {
  const page = await readFile(new URL('metrics.md', DOCS), 'utf8');
  const explained = [...page.matchAll(/^\| `([a-z_]+)`/gm)].map(([, name]) => name);
  const { scrape } = await allMetrics();
  expect(explained.toSorted()).toEqual(namesIn(await scrape()).toSorted());
});

test('docs/metrics.md names the labels of each metric', async () => {
  const page = await readFile(new URL('metrics.md', DOCS), 'utf8');
  const over = await gatewayOver(DEAD_ADDRESS, { ...METERED, CRM_URL: new URL(DEAD_ADDRESS), BATCH_READS: 'list' });
  await over.execute('query Failing { clients { totalCount } }');
  await over.execute('{ nothing }');
  const { values } = await served(over);
  for (const series of Object.keys(await values('trivium_'))) {
    const [, name = '', labels = ''] = /^(\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})?$/.exec(series) ?? [];
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
    for (const [, label] of labels.matchAll(/(\w+)="[^"]*"/g))
      if (label !== 'le') expect(row, series).toContain(`\`${label}\``);
  }
});

const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

test('each metric that the dashboard shows is exported, and each panel shows one', async () => {
  const { panels } = dashboard.parse(JSON.parse(await readFile(new URL('grafana-dashboard.json', DOCS), 'utf8')));
  const { scrape } = await allMetrics();
  const names = namesIn(await scrape());
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(shown.length).toBeGreaterThan(20);
  for (const expr of shown) {
    const named = [...expr.matchAll(/\b((?:trivium|process|nodejs)_[a-z_]+?)(?:_bucket|_sum|_count)?(?=[{[)\s]|$)/g)];
    expect(named, expr).not.toEqual([]);
    for (const [, name] of named) expect(names, expr).toContain(name);
  }
});

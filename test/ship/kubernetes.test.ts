import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readConfig, settings } from '../../src/config.ts';
import { temporaryFolder } from '../cli/trivium.ts';
import { manifest, manifests } from './manifests.ts';

const texts = z.record(z.string(), z.string());
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });

const container = z.object({
  image: z.string(),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  lifecycle: z.object({ preStop: z.object({ exec: z.object({ command: z.array(z.string()) }) }) }),
});

const labels = z.object({ matchLabels: texts });
const pods = z.object({
  metadata: z.object({ labels: texts, annotations: texts }),
  spec: z.object({ terminationGracePeriodSeconds: z.number(), containers: z.tuple([container]) }),
});

const { spec } = manifest('Deployment', z.object({ spec: z.object({ selector: labels, template: pods }) }));
const [gateway] = spec.template.spec.containers;
const { data } = manifest('ConfigMap', z.object({ data: texts }));
const { stringData } = manifest('Secret', z.object({ stringData: texts }));
const config = readConfig({ ...data, ...stringData });

/** The errors of the compiler for objects that are given types of the API of Kubernetes: unknown fields are errors, too. */
async function compilerErrors(typed: readonly { apiVersion: string; kind: string; content: unknown }[]) {
  const file = join(await temporaryFolder(), 'manifests.ts');
  const types = join(process.cwd(), 'node_modules/kubernetes-types');
  const lines = typed.map(({ apiVersion, kind, content }, at) => {
    const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
    const module = `${types}/${group.replace(/\.k8s\.io$/, '')}/${version}`;
    return `export const m${at}: import(${JSON.stringify(module)}).${kind} = ${JSON.stringify(content)};`;
  });
  writeFileSync(file, lines.join('\n'));
  const compiler = join(process.cwd(), 'node_modules/typescript-native/bin/tsc');
  const args = [compiler, '--noEmit', '--strict', '--ignoreConfig', file];
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.replaceAll(/^\S*manifests/gm, 'manifests');
}

test('each manifest has the type that the API of Kubernetes gives its kind', async () => {
  expect(manifests.map(({ kind }) => kind).sort()).toEqual([
    'ConfigMap',
    'Deployment',
    'HorizontalPodAutoscaler',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Secret',
    'Service',
  ]);
  const misspelled = { apiVersion: 'v1', kind: 'Service', content: { spec: { portz: [] } } };
  const errors = await compilerErrors([...manifests, misspelled]);
  expect(errors.trim().split('\n')).toEqual([expect.stringMatching(/^manifests.ts\(8,.*portz.*does not exist/)]);
});

test('the settings of the manifests exist, and are valid together', () => {
  for (const name of Object.keys({ ...data, ...stringData })) expect(Object.keys(settings)).toContain(name);
  expect(Object.keys(data)).not.toContain('HASH_SECRET');
});

test('the ports are those that the gateway listens on, and probes ask paths that it has', () => {
  const ports = Object.fromEntries(gateway.ports.map(({ name, containerPort }) => [name, containerPort]));
  expect(ports).toEqual({ http: config.PORT, metrics: config.METRICS_PORT });
  expect(spec.template.metadata.annotations['prometheus.io/port']).toBe(String(config.METRICS_PORT));
  const asked = (each: z.output<typeof probe>) => [each.httpGet.port, each.httpGet.path];
  expect(asked(gateway.startupProbe)).toEqual(['http', '/health']);
  expect(asked(gateway.livenessProbe)).toEqual(['http', '/health']);
  expect(asked(gateway.readinessProbe)).toEqual(['http', '/ready']);
});

test('Kubernetes waits for two seconds longer than the gateway takes to end', () => {
  const [, seconds] = gateway.lifecycle.preStop.exec.command;
  const needed = Number(seconds) + config.SHUTDOWN_TIMEOUT_MS / 1_000 + 2;
  expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(needed);
});

test('every selector finds the pods', () => {
  const own = spec.template.metadata.labels;
  const selected = z.object({ spec: z.object({ selector: labels }) });
  expect(spec.selector.matchLabels).toEqual(own);
  expect(manifest('PodDisruptionBudget', selected).spec.selector.matchLabels).toEqual(own);
  expect(manifest('Service', z.object({ spec: z.object({ selector: texts }) })).spec.selector).toEqual(own);
  const policy = manifest('NetworkPolicy', z.object({ spec: z.object({ podSelector: labels }) }));
  expect(policy.spec.podSelector.matchLabels).toEqual(own);
});

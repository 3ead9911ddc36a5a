import { describe, expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { collectorOptions } from '../../src/opentelemetry/from-config.ts';
import { startTracing } from '../../src/opentelemetry/start.ts';
import { createLog } from '../../src/process/log.ts';
import { testCollector } from './collector.ts';
import { overCrm, tracedBy } from './support.ts';

describe('traces are on', () => {
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  const isOn = async (environment: Readonly<Record<string, string>>) => {
    const tracing = await startTracing(readConfig(environment), {}, createLog('silent', { write: () => {} }));
    await tracing?.shutdown(0);
    return tracing !== undefined;
  };

  test.each([
    ['an endpoint', ENDPOINT],
    ['an endpoint for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/traces' }],
    ['OTEL_TRACES_EXPORTER=otlp', { OTEL_TRACES_EXPORTER: 'otlp' }],
  ])('with %s', async (_name, environment) => {
    expect(await isOn(environment)).toBe(true);
  });

  test.each([
    ['any setting', {}],
    ['settings of what is sent alone', { OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' }],
    ['OTEL_TRACES_EXPORTER=none', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    ['OTEL_SDK_DISABLED=true', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' }],
  ])('not with %s', async (_name, environment) => {
    expect(await isOn(environment)).toBe(false);
  });
});

describe('the collector', () => {
  const optionsOf = (environment: Readonly<Record<string, string>>) => {
    const { url, ...others } = collectorOptions(readConfig(environment));
    return { url: url.href, ...others };
  };

  test.each([
    [{}, 'http://localhost:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example' }, 'https://otel.example/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example/base/' }, 'https://otel.example/base/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://otel.example/t' }, 'https://otel.example/t'],
  ])('%j is at %s', (environment, url) => {
    expect(optionsOf(environment).url).toBe(url);
  });

  test('settings for traces go before those for all signals', () => {
    const all = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.example',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
      OTEL_EXPORTER_OTLP_HEADERS: 'one=1,two=a%20b',
    };
    const traces = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://b.example/',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '2000',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'two=2',
    };
    const ofAll = [
      ['one', '1'],
      ['two', 'a b'],
    ];
    const url = 'http://a.example/v1/traces';
    expect(optionsOf(all)).toEqual({ url, protocol: 'http/json', timeoutMs: 1_000, headers: ofAll });
    expect(optionsOf({ ...all, ...traces })).toEqual({
      url: 'http://b.example/',
      protocol: 'http/protobuf',
      timeoutMs: 2_000,
      headers: [...ofAll, ['two', '2']],
    });
  });

  test('gets the headers, of which the last of a name counts', async () => {
    const collector = await testCollector();
    const headers = {
      OTEL_EXPORTER_OTLP_HEADERS: [['Authorization', 'Bearer secret'] as const, ['x-two', '1'] as const],
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: [['X-Two', '2'] as const, ['Content-Type', 'text/plain'] as const],
    };
    const { execute, logs } = await overCrm(tracedBy(collector, headers));

    await execute('{ __typename }');

    await collector.received(1);
    const expected = { authorization: 'Bearer secret', 'x-two': '2', 'content-type': 'application/json' };
    expect(collector.requests[0]?.headers).toMatchObject(expected);
    expect(logs.join('')).not.toContain('secret');
  });

  test('gets protobuf by default', async () => {
    const collector = await testCollector();
    const { execute, close } = await overCrm(tracedBy(collector, { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }));

    await execute('query Named { __typename }');

    await close();
    const [request] = collector.requests;
    expect(request?.headers['content-type']).toBe('application/x-protobuf');
    expect(request?.path).toBe('/v1/traces');
    for (const text of ['graphql.operation.name', 'Named', 'service.name']) expect(request?.body).toContain(text);
  });
});

test('the process is named by OTEL_SERVICE_NAME, else by OTEL_RESOURCE_ATTRIBUTES', async () => {
  const collector = await testCollector();
  const attributes = [['service.name', 'from-attributes'] as const, ['deployment.environment.name', 'test'] as const];
  const run = async (settings: Partial<Config>) => {
    const { execute, close } = await overCrm(tracedBy(collector, settings));
    await execute('{ __typename }');
    await close();
    return collector.resources().at(-1);
  };

  const unnamed = await run({});
  expect(unnamed?.get('service.name')).toBe('trivium');
  expect(unnamed?.get('service.instance.id')).toMatch(/^[0-9a-f-]{36}$/);
  const byAttributes = await run({ OTEL_RESOURCE_ATTRIBUTES: attributes });
  expect(byAttributes?.get('service.name')).toBe('from-attributes');
  expect(byAttributes?.get('deployment.environment.name')).toBe('test');
  const byName = await run({ OTEL_RESOURCE_ATTRIBUTES: attributes, OTEL_SERVICE_NAME: 'shop' });
  expect(byName?.get('service.name')).toBe('shop');
});

describe('the sampler', () => {
  const SAMPLED = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const NOT_SAMPLED = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';

  test.each([
    ['parentbased_always_on', 1, [true, true, false]],
    ['parentbased_always_off', 1, [false, true, false]],
    ['parentbased_traceidratio', 0, [false, true, false]],
    ['parentbased_traceidratio', 1, [true, true, false]],
    ['always_on', 1, [true, true, true]],
    ['always_off', 1, [false, false, false]],
    ['traceidratio', 0, [false, false, false]],
    ['traceidratio', 1, [true, true, true]],
  ] as const)('%s with %d decides', async (sampler, share, expected) => {
    const collector = await testCollector();
    const settings = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share };
    const { execute, close } = await overCrm(tracedBy(collector, settings));

    await execute('query Alone { __typename }');
    await execute('query Sampled { __typename }', { traceparent: SAMPLED });
    await execute('query NotSampled { __typename }', { traceparent: NOT_SAMPLED });

    await close();
    const names = collector.spans().map(({ attributes }) => attributes.get('graphql.operation.name'));
    expect(['Alone', 'Sampled', 'NotSampled'].map((name) => names.includes(name))).toEqual(expected);
  });
});

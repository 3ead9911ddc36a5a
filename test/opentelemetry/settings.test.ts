import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startTracing } from '../../src/observe/opentelemetry/start.ts';
import { createLog } from '../../src/observe/log.ts';
import { testCertificate } from '../support/certificates.ts';
import { pemFiles } from '../support/pem-files.ts';
import { testCollector } from './collector.ts';
import { overCrm, setVariables, tracedBy } from './support.ts';

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
    ['settings of what is sent alone', { OTEL_TRACES_SAMPLER_ARG: '0.5', OTEL_TRACES_SAMPLER: 'always_on' }],
    ['OTEL_TRACES_EXPORTER=none', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    ['OTEL_SDK_DISABLED=true', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' }],
  ])('not with %s', async (_name, environment) => {
    expect(await isOn(environment)).toBe(false);
  });
});

describe('the exporter reads its own variables', () => {
  const file = pemFiles();
  const sentWith = async (variables: Readonly<Record<string, string>>) => {
    const collector = await testCollector();
    const settings = tracedBy(collector);
    setVariables(variables);
    const { execute, logs } = await overCrm(settings);
    await execute('query Named { __typename }');
    await collector.received(1);
    const [request] = collector.requests;
    expect(request?.headers['content-type']).toBe('application/x-protobuf');
    return { path: request?.path, headers: request?.headers, resource: collector.resources()[0], logs: logs.join('') };
  };

  test('the endpoint', async () => {
    expect(await sentWith({})).toMatchObject({ path: '/v1/traces' });
  });

  test('headers, of which those for traces go first, and which are not logged', async () => {
    const sent = await sentWith({
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20secret,x-two=1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-two=2',
    });
    expect(sent.headers).toMatchObject({ authorization: 'Bearer secret', 'x-two': '2' });
    expect(sent.logs).not.toContain('secret');
  });

  test('the name of the service and the attributes of the process', async () => {
    const unnamed = await sentWith({});
    expect(unnamed.resource?.get('service.name')).toBe('trivium');
    expect(unnamed.resource?.get('service.instance.id')).toMatch(/^[0-9a-f-]{36}$/);
    const OTEL_RESOURCE_ATTRIBUTES = 'service.name=from-attributes,deployment.environment.name=test';
    const { resource } = await sentWith({ OTEL_RESOURCE_ATTRIBUTES });
    expect(resource?.get('service.name')).toBe('from-attributes');
    expect(resource?.get('deployment.environment.name')).toBe('test');
    const named = await sentWith({ OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME: 'shop' });
    expect(named.resource?.get('service.name')).toBe('shop');
  });

  test('an authority of its own, over TLS', async () => {
    const own = testCertificate({ host: '127.0.0.1' });
    const collector = await testCollector(undefined, own);
    const settings = tracedBy(collector);
    setVariables({ OTEL_EXPORTER_OTLP_CERTIFICATE: file(own.cert) });
    const { execute } = await overCrm(settings);
    await execute('{ __typename }');
    expect(await collector.received(1)).toHaveLength(1);
  });
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

import { randomUUID } from 'node:crypto';
import type { Attributes } from '@opentelemetry/api';
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { version } from '../process/system.ts';
import { ATTRIBUTES } from './operation-spans.ts';
import type { OtelSettings } from './settings.ts';

/** The base address of a collector on this machine, by the standard. */
const LOCAL_COLLECTOR = 'http://localhost:4318';

/** Where traces are sent, and how. */
export function collectorOptions(config: OtelSettings) {
  const protocol = config.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL;
  return {
    url: config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? addressBelow(config.OTEL_EXPORTER_OTLP_ENDPOINT),
    headers: [...config.OTEL_EXPORTER_OTLP_HEADERS, ...config.OTEL_EXPORTER_OTLP_TRACES_HEADERS],
    protocol: protocol === 'auto' ? config.OTEL_EXPORTER_OTLP_PROTOCOL : protocol,
    timeoutMs: config.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT || config.OTEL_EXPORTER_OTLP_TIMEOUT,
  };
}

function addressBelow(base = new URL(LOCAL_COLLECTOR)): URL {
  return new URL(`${base.pathname.replace(/\/$/, '')}/v1/traces`, base);
}

/** Which operations are recorded. */
export function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: OtelSettings): Sampler {
  const root = rootSampler(name, share);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: OtelSettings['OTEL_TRACES_SAMPLER'], share: number): Sampler {
  if (name.endsWith('traceidratio')) return new TraceIdRatioBasedSampler(share);
  return name.endsWith('always_off') ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

/** This process, as traces name it. */
export function resourceOf({ OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES }: OtelSettings): Resource {
  return defaultResource().merge(
    resourceFromAttributes({
      'service.name': 'trivium',
      'service.version': version(),
      'service.instance.id': randomUUID(),
      'process.pid': process.pid,
      ...Object.fromEntries(OTEL_RESOURCE_ATTRIBUTES),
      ...(OTEL_SERVICE_NAME !== '' && { 'service.name': OTEL_SERVICE_NAME }),
    }),
  );
}

/** The addresses of the APIs, by their names. Undefined for those that have none. */
export type Addresses = Readonly<Record<string, URL | undefined>>;

/** The attributes of the host of each API that has an address, by the API's name. */
export function hostsOf(addresses: Addresses): ReadonlyMap<string, Attributes> {
  return new Map(Object.entries(addresses).map(([api, url]) => [api, url ? hostAttributes(url) : {}]));
}

function hostAttributes({ hostname, port, protocol }: URL): Attributes {
  const standardPort = protocol === 'https:' ? 443 : 80;
  return {
    [ATTRIBUTES.serverAddress]: hostname.replace(/^\[|\]$/g, ''),
    [ATTRIBUTES.serverPort]: port === '' ? standardPort : Number(port),
  };
}

import { randomUUID } from 'node:crypto';
import type { Attributes } from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { version } from '../../system.ts';
import { ATTRIBUTES } from './operation-spans.ts';
import type { OtelSettings } from './settings.ts';

/** Which operations are recorded. */
export function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: OtelSettings): Sampler {
  const root = rootSampler(name, share);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: OtelSettings['OTEL_TRACES_SAMPLER'], share: number): Sampler {
  if (name.endsWith('traceidratio')) return new TraceIdRatioBasedSampler(share);
  return name.endsWith('always_off') ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

/** This process, as traces name it: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before what it is by itself. */
export function processResource(): Resource {
  const own = resourceFromAttributes({
    'service.name': 'trivium',
    'service.version': version(),
    'service.instance.id': randomUUID(),
    'process.pid': process.pid,
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
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

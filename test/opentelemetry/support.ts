import type { RequestListener } from 'node:http';
import { onTestFinished, vi } from 'vitest';
import type { Config } from '../../src/config.ts';
import { gatewayOver } from '../support/gateway.ts';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import type { TestCollector } from './collector.ts';
import type { ReceivedSpan } from './protobuf.ts';

/** Sets variables of the environment until the test ends. The exporter reads its own there. */
export function setVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** The settings that send spans to a collector, soon. */
export function tracedBy({ url }: Pick<TestCollector, 'url'>, settings: Partial<Config> = {}): Partial<Config> {
  setVariables({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  return { OTEL_TRACES_EXPORTER: 'otlp', OTEL_BSP_SCHEDULE_DELAY: 10, ...settings };
}

/** A gateway over a CRM that answers as the test says. */
export async function overCrm(settings: Partial<Config>, answer: RequestListener = crmAnswer) {
  const headers: Record<string, string | string[] | undefined>[] = [];
  const upstream = await stubUpstream((request, response) => {
    headers.push(request.headers);
    answer(request, response);
  });
  const over = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url), ...settings });
  const execute = async (query: string, more: Readonly<Record<string, string>> = {}) =>
    over.execute(query, { headers: { 'x-crm-token': 'token', ...more } });
  return { ...over, execute, upstream: { ...upstream, headers } };
}

export const DEALS_BODY = '[{"id":1,"name":"Oak","client_id":11},{"id":2,"name":"Elm","client_id":12}]';

/** Two deals of two clients. */
export const crmAnswer: RequestListener = (request, response) => {
  const [path = ''] = request.url?.split('?', 1) ?? [];
  const [, id] = /^\/app\/clients\/(\d+)\.json$/.exec(path) ?? [];
  says(id === undefined ? DEALS_BODY : `{"id":${id},"name":"Ada"}`)(request, response);
};

export const DEALS = 'query Deals { deals { nodes { name client { name } } } }';

/** The spans of an operation as a tree, by their names. Calls of the same endpoint are listed once each. */
export function tree(spans: readonly ReceivedSpan[], parent?: string): object {
  const children = spans.filter(({ parentSpanId }) => parentSpanId === (parent ?? ''));
  const sorted = children.toSorted((one, other) => one.startTimeUnixNano - other.startTimeUnixNano);
  return sorted.map(({ name, kind, spanId }) => ({ [`${kind} ${name}`]: tree(spans, spanId) }));
}

/** The span with this name. */
export function spanNamed(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.find((span) => span.name === name);
  if (!found) throw new Error(`There is no span ${name}: ${spans.map((span) => span.name).join(', ')}`);
  return found;
}

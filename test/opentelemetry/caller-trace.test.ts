import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { testCollector } from './collector.ts';
import { DEALS, overCrm, spanNamed, tracedBy } from './support.ts';

// W3C Trace Context: https://www.w3.org/TR/trace-context/

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const SAMPLED = `00-${TRACE}-${SPAN}-01`;
const QUERY = '{ deals { nodes { name } } }';

/** The span of an operation whose caller sends these headers, and the headers of its call. */
async function traced(headers: Readonly<Record<string, string>>, settings: Partial<Config> = {}) {
  const collector = await testCollector();
  const { execute, upstream } = await overCrm(tracedBy(collector, settings));
  await execute(QUERY, headers);
  const spans = await collector.received(3);
  return {
    operation: spanNamed(spans, 'query'),
    call: spanNamed(spans, 'GET /app/deals.json'),
    sent: upstream.headers,
  };
}

describe('the headers of a caller', () => {
  test('an operation is a child of the span of its caller', async () => {
    const { operation } = await traced({ traceparent: SAMPLED, tracestate: 'one=1, two=2' });

    expect(operation).toMatchObject({ traceId: TRACE, parentSpanId: SPAN });
    expect(operation.traceState).toBe('one=1,two=2');
  });

  test.each([
    ['a later version with more fields', `cc-${TRACE}-${SPAN}-01-more`],
    ['flags that this version does not know', `00-${TRACE}-${SPAN}-ff`],
  ])('the standard allows %s', async (_name, traceparent) => {
    expect((await traced({ traceparent })).operation).toMatchObject({ traceId: TRACE, parentSpanId: SPAN });
  });

  test('a traceparent that the standard does not allow is ignored', async () => {
    const collector = await testCollector();
    const { execute } = await overCrm(tracedBy(collector));
    const malformed = [
      'x',
      TRACE,
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `ff-${TRACE}-${SPAN}-01`,
      `cc-${TRACE}-${SPAN}-01-${'x'.repeat(2_000)}`,
      `${SAMPLED}, ${SAMPLED}`,
    ];

    for (const traceparent of malformed) await execute('{ __typename }', { traceparent, tracestate: 'one=1' });

    for (const span of await collector.received(malformed.length)) {
      expect(span.traceId).not.toBe(TRACE);
      expect(span.parentSpanId ?? '').toBe('');
      expect(span.traceState ?? '').toBe('');
    }
  });

  test.each([
    ['is too long', Array.from({ length: 32 }, (_, number) => `key${number}=${'x'.repeat(10)}`).join(',')],
    ['cannot be read', '===,;'],
  ])('a tracestate that %s is left out', async (_name, tracestate) => {
    const { operation } = await traced({ traceparent: SAMPLED, tracestate });

    expect(operation.traceId).toBe(TRACE);
    expect(operation.traceState ?? '').toBe('');
  });

  test('are not read where OTEL_PROPAGATORS does not name tracecontext', async () => {
    const { operation } = await traced({ traceparent: SAMPLED }, { OTEL_PROPAGATORS: ['none'] });

    expect(operation.traceId).not.toBe(TRACE);
  });
});

describe('the headers of upstream calls', () => {
  test('have no trace unless PASS_TRACE_CONTEXT is true', async () => {
    const { sent } = await traced({ traceparent: SAMPLED, tracestate: 'one=1', baggage: 'a=b' });

    expect(sent).toHaveLength(1);
    for (const name of ['traceparent', 'tracestate', 'baggage']) expect(sent[0]).not.toHaveProperty(name);
  });

  test('continue the trace below the span of the call', async () => {
    const headers = { traceparent: SAMPLED, tracestate: 'one=1', baggage: 'a=b' };
    const { call, sent } = await traced(headers, { PASS_TRACE_CONTEXT: 'true' });

    expect(call.traceId).toBe(TRACE);
    expect(sent[0]).toMatchObject({ traceparent: `00-${TRACE}-${call.spanId}-01`, tracestate: 'one=1' });
    expect(sent[0]).not.toHaveProperty('baggage');
  });

  test('say of an operation that is not recorded that it is not', async () => {
    const collector = await testCollector();
    const { execute, upstream, logs, close } = await overCrm(tracedBy(collector, { PASS_TRACE_CONTEXT: 'true' }));

    await execute(DEALS, { traceparent: `00-${TRACE}-${SPAN}-00`, tracestate: 'one=1' });

    await close();
    expect(collector.spans()).toEqual([]);
    expect(upstream.headers).toHaveLength(3);
    for (const { traceparent, tracestate } of upstream.headers) {
      expect([traceparent, tracestate]).toEqual([expect.stringMatching(`^00-${TRACE}-[0-9a-f]{16}-00$`), 'one=1']);
    }
    expect(JSON.parse(logs.at(-1) ?? '')).toMatchObject({ traceId: TRACE });
  });
});

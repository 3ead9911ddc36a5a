import { expect, test } from 'vitest';
import { ATTRIBUTES } from '../../src/observe/opentelemetry/operation-spans.ts';
import { read, unpadded } from './pages.ts';

const rows = [...unpadded(read('docs/tracing.md')).matchAll(/^\| `([a-z_.]+)` \| (?:operation|field|call)/gm)];

test('docs/tracing.md describes each attribute of spans, and no other', () => {
  expect(rows.map(([, name]) => name).sort()).toEqual(Object.values(ATTRIBUTES).sort());
});

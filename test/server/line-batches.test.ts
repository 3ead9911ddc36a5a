import { expect, test, vi } from 'vitest';
import { LineBatches } from '../../src/process/log.ts';

/** Batches of 100 bytes, no write beyond 120, and what was written. */
function batches() {
  const writes: string[] = [];
  const onDrain: (() => void)[] = [];
  const destination = {
    write: (lines: string) => writes.push(lines),
    flush: vi.fn<() => void>(),
    flushSync: vi.fn<() => void>(),
    on: (_event: 'drain', listener: () => void) => onDrain.push(listener),
  };
  const drain = () => {
    for (const listener of onDrain) listener();
  };
  return { writes, destination, drain, lines: new LineBatches(destination, { batchBytes: 100, maxWriteBytes: 120 }) };
}

const line = (bytes: number, character = 'x') => `${character.repeat((bytes - 1) / Buffer.byteLength(character))}\n`;

test('lines wait until they fill a batch', () => {
  const { writes, lines } = batches();
  lines.write(line(50));
  lines.write(line(49));
  expect(writes).toEqual([]);
  lines.write(line(1));
  expect(writes).toEqual([`${line(50)}${line(49)}${line(1)}`]);
});

test.each(['x', 'ó', '€'])('a line that would exceed one write begins the next one: %s', (character) => {
  const { writes, lines } = batches();
  lines.write(line(91, character));
  lines.write(line(31, character));
  expect(writes).toEqual([line(91, character)]);
  lines.end();
  expect(writes).toEqual([line(91, character), line(31, character)]);
});

test('a line that is longer than one write is written alone', () => {
  const { writes, lines } = batches();
  lines.write(line(10));
  lines.write(line(500));
  lines.write(line(20));
  lines.end();
  expect(writes).toEqual([line(10), line(500), line(20)]);
});

test('lines wait 50 ms at most', () => {
  vi.useFakeTimers();
  try {
    const { writes, destination, lines } = batches();
    lines.write(line(10));
    vi.advanceTimersByTime(49);
    expect(writes).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(writes).toEqual([line(10)]);
    expect(destination.flush).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test('lines that have waited during a write go on when it ends', () => {
  vi.useFakeTimers();
  try {
    const { destination, drain, lines } = batches();
    lines.write(line(100)); // begins a write
    lines.write(line(10));
    vi.advanceTimersByTime(50);
    expect(destination.flush).toHaveBeenCalledOnce(); // in vain: the destination writes
    drain();
    expect(destination.flush).toHaveBeenCalledTimes(2);
    drain();
    expect(destination.flush).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

test('the end writes at once, and not again', () => {
  const { writes, destination, lines } = batches();
  lines.write(line(10));
  lines.end();
  lines.end();
  expect(writes).toEqual([line(10)]);
  expect(destination.flushSync).toHaveBeenCalledTimes(2);
});

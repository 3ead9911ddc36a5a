import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LineWriter } from '../../src/observe/log.ts';
import { droppedLines } from '../../src/system.ts';

type Done = (error: Error | null, written: number) => void;

/** The descriptor that lines are written to: what it has taken, the effects of its next writes, and the writes under way. */
const descriptor = (() => {
  const taken: string[] = [];
  /** The most bytes that a write takes, or the code of its error. */
  const effects: (number | string)[] = [];
  const take = (bytes: Uint8Array): number => {
    const effect = effects.shift() ?? bytes.length;
    if (typeof effect === 'string') throw Object.assign(new Error(effect), { code: effect });
    const written = Math.min(effect, bytes.length);
    taken.push(Buffer.from(bytes).toString('utf8', 0, written));
    return written;
  };
  const underWay: (() => void)[] = [];
  const write = (_fd: number, bytes: Uint8Array, done: Done) => {
    underWay.push(() => {
      let written = 0;
      let failure: Error | null = null;
      try {
        written = take(bytes);
      } catch (error) {
        failure = error instanceof Error ? error : new Error('unknown');
      }
      done(failure, written);
    });
  };
  return { taken, effects, take, underWay, write };
})();

const { taken, effects, underWay } = descriptor;
const files = { write: descriptor.write, writeSync: (_fd: number, bytes: Uint8Array) => descriptor.take(bytes) };

/** Ends the writes under way, and those that follow them. */
function settle(): void {
  for (let end = underWay.shift(); end; end = underWay.shift()) end();
}

/** Writes what waits, as after 50 ms. */
function flush(): void {
  vi.advanceTimersByTime(50);
  settle();
}

const line = (bytes: number, character = 'x') => `${character.repeat((bytes - 1) / Buffer.byteLength(character))}\n`;

let lines: LineWriter;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  droppedLines.count = 0;
  for (const list of [taken, effects, underWay]) list.length = 0;
  lines = new LineWriter(2, 100, files);
});

afterEach(() => void vi.useRealTimers());

/** The reports of dropped lines that were written. */
function reports(): unknown[] {
  const texts = taken.join('').split('\n');
  return texts.filter((text) => text.startsWith('{')).map((text): unknown => JSON.parse(text));
}

test('lines wait until a write is full', () => {
  lines.write(line(50));
  lines.write(line(50));
  settle();
  expect(taken).toEqual([]);
  lines.write(line(10));
  settle();
  expect(taken).toEqual([`${line(50)}${line(50)}`]);
});

test.each(['x', 'ó', '€'])('a line that would exceed one write begins the next one: %s', (character) => {
  lines.write(line(91, character));
  lines.write(line(31, character));
  settle();
  expect(taken).toEqual([line(91, character)]);
  lines.end();
  expect(taken).toEqual([line(91, character), line(31, character)]);
});

test('a line that is longer than one write is written alone', () => {
  lines.write(line(10));
  lines.write(line(500));
  lines.write(line(20));
  lines.end();
  lines.end();
  settle(); // the first one was under way
  expect(taken.toSorted()).toEqual([line(10), line(20), line(500)].toSorted());
});

test('lines wait 50 ms at most', () => {
  lines.write(line(10));
  vi.advanceTimersByTime(49);
  settle();
  expect(taken).toEqual([]);
  vi.advanceTimersByTime(1);
  settle();
  expect(taken).toEqual([line(10)]);
});

test('lines that have waited during a write go on when it ends', () => {
  lines.write(line(10));
  vi.advanceTimersByTime(50);
  lines.write(line(20));
  vi.advanceTimersByTime(50);
  expect(taken).toEqual([]);
  settle();
  expect(taken).toEqual([line(10), line(20)]);
});

test('a write that ends halfway goes on', () => {
  effects.push(3, 4);
  lines.write('one line\n');
  flush();
  expect(taken).toEqual(['one', ' lin', 'e\n']);
});

test.each(['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG', 'EPIPE', 'EBADF'])(
  'lines that fail with %s are dropped, counted, and reported with the next ones',
  (code) => {
    effects.push(code, code);
    lines.write('lost 1\n');
    lines.write('lost 2\n');
    flush();
    lines.write('lost 3\n');
    flush();
    expect(droppedLines.count).toBe(3);
    lines.write('written\n');
    flush();
    flush();
    expect(taken[0]).toBe('written\n');
    expect(reports()).toEqual([
      expect.objectContaining({ level: 40, dropped: 3, pid: process.pid, msg: 'lines of the log were dropped' }),
    ]);
    lines.write('written\n');
    flush();
    flush();
    expect(reports()).toHaveLength(1);
  },
);

test('a report that is dropped is made up for by the next one', () => {
  effects.push('ENOSPC', 100, 'ENOSPC');
  for (const text of ['lost\n', 'written\n', 'written\n']) {
    lines.write(text);
    flush();
    flush();
  }
  flush();
  expect(reports()).toEqual([expect.objectContaining({ dropped: 2 })]);
});

test.each([
  ['within a line', 10, 'whole\nhalf', 2],
  ['between two lines', 6, 'whole\n', 2],
  ['before the end of a line', 15, 'whole\nhalf-done', 1],
])('after a disk that filled up %s the next line begins on a line of its own', (_where, bytes, written, dropped) => {
  effects.push(bytes, 'ENOSPC', 'ENOSPC');
  lines.write('whole\nhalf-done\n');
  lines.write('lost\n');
  flush();
  expect(droppedLines.count).toBe(dropped);
  lines.write('lost, too\n');
  flush();
  expect(droppedLines.count).toBe(dropped + 1);
  lines.write('next\n');
  flush();
  expect(taken).toEqual([written, '\nnext\n']);
  lines.write('last\n');
  flush();
  expect(taken.join('')).toMatch(/\nnext\n(\{.*\}\n)?last\n/);
});

test('a full pipe is tried again, and takes the lines in their order', () => {
  effects.push(4, 'EAGAIN', 'EAGAIN');
  lines.write('first\n');
  flush();
  lines.write('second\n');
  for (let pause = 0; pause < 3; pause += 1) flush();
  expect(taken.join('')).toBe('first\nsecond\n');
  expect(droppedLines.count).toBe(0);
});

test('lines that a reader does not take are held up to 16 MiB', () => {
  effects.push(...Array.from({ length: 1_000 }, () => 'EAGAIN'));
  const long = line(1024 ** 2);
  for (let count = 0; count < 20; count += 1) {
    lines.write(long);
    flush();
  }
  expect(droppedLines.count).toBe(4);
  effects.length = 0;
  for (let pause = 0; pause < 3; pause += 1) flush();
  expect(taken.filter((text) => text === long)).toHaveLength(16);
  expect(reports()).toEqual([expect.objectContaining({ dropped: 4 })]);
  lines.write('next\n');
  flush();
  expect(taken.at(-1)).toBe('next\n');
});

test.each(['EAGAIN', 'ENOSPC', 'EIO', 'EPIPE'])('the end does not wait for lines that fail with %s', (code) => {
  effects.push(...Array.from({ length: 10_000 }, () => code));
  lines.write('last\n');
  lines.end();
  expect(effects.length).toBeGreaterThan(0);
});

test('the end writes what a full pipe has yet to take, once it takes it', () => {
  effects.push(4, 'EAGAIN', 'EAGAIN', 2);
  lines.write('first\n');
  flush(); // takes a part
  lines.write('second\n');
  lines.end();
  expect(taken.join('')).toBe('first\nsecond\n');
});

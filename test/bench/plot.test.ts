import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { barPlot, linePlot } from '../../bench/plot.ts';
import { scaleOf, tickText } from '../../bench/plot/scale.ts';

const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, content]) => content);
const xs = (svg: string) => [...svg.matchAll(/<circle[^>]* cx="([^"]+)"/g)].map(([, x]) => Number(x));
const heights = (svg: string) =>
  [...svg.matchAll(/<rect class="f0"[^>]* height="([^"]+)"/g)].map(([, height]) => Number(height));

describe('line plots', () => {
  const plot = {
    title: 'Time <per> "list" & page',
    x: { label: 'clients', log: true },
    y: { label: 'ms' },
    lines: [
      {
        name: 'ours',
        points: [
          [10, 1],
          [100, 2],
          [1000, 4],
        ],
      },
      { name: 'a & b', points: [[10, 3]] },
    ],
  } as const;

  test('are well-formed and name the title, the axes, the ticks and the series', () => {
    const svg = linePlot(plot);

    expect(XMLValidator.validate(svg)).toBe(true);
    expect(texts(svg)).toEqual(
      expect.arrayContaining([
        'Time &lt;per&gt; &quot;list&quot; &amp; page',
        'clients',
        'ms',
        'ours',
        'a &amp; b',
        '1,000',
      ]),
    );
  });

  test('have decades of equal width on a log axis, and not on a linear one', () => {
    const [a = 0, b = 0, c = 0] = xs(linePlot(plot));
    expect(b - a).toBeCloseTo(c - b, 0);

    const [d = 0, e = 0, f = 0] = xs(linePlot({ ...plot, x: { label: 'clients' } }));
    expect(f - e).toBeGreaterThan((e - d) * 5);
  });

  test('refuse zero on a log axis, a plot without points, and a seventh line', () => {
    expect(() => linePlot({ ...plot, lines: [{ name: 'zero', points: [[0, 1]] }] })).toThrow(RangeError);
    expect(() => linePlot({ ...plot, lines: [] })).toThrow(RangeError);
    expect(() => linePlot({ ...plot, lines: Array.from({ length: 7 }, () => plot.lines[0]) })).toThrow(RangeError);
  });
});

describe('bar plots', () => {
  test('have bars as high as their values, the values above them, and no bar for undefined', () => {
    const svg = barPlot({
      title: 'Speed',
      groups: ['W1', 'W2', 'W3'],
      y: { label: 'share of the floor' },
      bars: [{ name: 'ours', values: [0.5, undefined, 1] }],
    });

    expect(XMLValidator.validate(svg)).toBe(true);
    const [half = 0, full = 0, ...rest] = heights(svg);
    expect(full).toBeCloseTo(half * 2, 0);
    expect(rest, "the legend's alone").toEqual([12]);
    expect(texts(svg)).toEqual(expect.arrayContaining(['W1', 'W2', 'W3', '0.5', '1', 'ours']));
  });
});

describe('ticks', () => {
  test('of a linear axis start at zero and end at or above the greatest value', () => {
    expect(scaleOf([3, 47], {}).ticks).toEqual([0, 10, 20, 30, 40, 50]);
  });

  test('of a log axis are 1, 2 and 5 of each decade, or the powers of ten alone where there are many', () => {
    expect(scaleOf([3, 40], { log: true }).ticks).toEqual([2, 5, 10, 20, 50]);
    expect(scaleOf([1, 100_000], { log: true }).ticks).toEqual([1, 10, 100, 1000, 10_000, 100_000]);
  });

  test('that are given are the ticks, and the axis reaches over them', () => {
    const scale = scaleOf([50, 2000], { log: true, ticks: [50, 20_000] });
    expect([scale.ticks, scale.position(50), scale.position(20_000)]).toEqual([[50, 20_000], 0, 1]);
  });

  test.each([
    [0, '0'],
    [0.0512, '0.0512'],
    [2.345, '2.35'],
    [20_000, '20,000'],
  ])('show %d as %s', (value, shown) => {
    expect(tickText(value)).toBe(shown);
  });
});

// Plots as SVG texts, without a library: lines over a number, and bars over names.
import { AREA, DASHES, document, legend, MAX_SERIES, px, text } from './plot/frame.ts';
import { type Scale, scaleOf, tickText } from './plot/scale.ts';

export interface Axis {
  readonly label: string;
  /** A logarithmic axis; its values must be above zero. Default: linear, from zero. */
  readonly log?: boolean;
  /** The ticks to draw, ascending. Default: round numbers. */
  readonly ticks?: readonly number[];
}

export interface Line {
  readonly name: string;
  /** In the order in which they are joined. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface LinePlot {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  /** At most six. A line without points stands in the legend alone. */
  readonly lines: readonly Line[];
}

export interface Bars {
  readonly name: string;
  /** One value for each group, in their order; undefined leaves the place empty. */
  readonly values: readonly (number | undefined)[];
}

export interface BarPlot {
  readonly title: string;
  /** The names under the bars. */
  readonly groups: readonly string[];
  /** The name of what the groups are. Default: none. */
  readonly x?: string;
  readonly y: Axis;
  /** At most six series: one bar of each stands in each group. */
  readonly bars: readonly Bars[];
}

/**
 * Lines over a number, with a marker on each point.
 *
 * @returns an SVG document, readable on light and dark pages
 * @throws RangeError for more than six lines, for no point at all, and for a value that its axis cannot hold
 */
export function linePlot({ title, x, y, lines }: LinePlot): string {
  refuseMany(lines);
  const points = lines.flatMap((line) => line.points);
  const across = scaleOf(
    points.map(([value]) => value),
    x,
  );
  const up = scaleOf(
    points.map(([, value]) => value),
    y,
  );
  const stroke = (index: number) => `class="line s${index}" stroke-dasharray="${DASHES[index] ?? ''}"`;
  const drawn = lines.map(({ points }, index) => {
    const places = points.map(([a, b]) => `${px(atX(across, a))},${px(atY(up, b))}`);
    const marks = points.map(
      ([a, b]) => `<circle class="f${index}" cx="${px(atX(across, a))}" cy="${px(atY(up, b))}" r="3"/>`,
    );
    return `<polyline ${stroke(index)} points="${places.join(' ')}"/>${marks.join('')}`;
  });
  const names = legend(
    lines.map(({ name }) => name),
    (index, left, top) => `<path ${stroke(index)} d="M${px(left)} ${px(top)}h26"/>`,
  );
  return document(title, { x: x.label, y: y.label }, [horizontalLines(up), verticalTicks(across), ...drawn, names]);
}

/**
 * Groups of bars, with the value above each bar.
 *
 * @returns an SVG document, readable on light and dark pages
 * @throws RangeError for more than six series, for no value at all, and for a value that its axis cannot hold
 */
export function barPlot({ title, groups, x = '', y, bars }: BarPlot): string {
  refuseMany(bars);
  const up = scaleOf(
    bars.flatMap(({ values }) => values.filter((value) => value !== undefined)),
    y,
  );
  const room = (AREA.right - AREA.left) / groups.length;
  const width = Math.min(48, (room * 0.8) / bars.length);
  const bottom = y.log ? AREA.bottom : atY(up, 0);
  const drawn = groups.map((group, place) => {
    const middle = AREA.left + room * (place + 0.5);
    const columns = bars.map(({ values }, index) => {
      const value = values[place];
      const left = middle + (index - bars.length / 2) * width;
      return value === undefined ? '' : bar(index, { left, width: width - 2, from: bottom, to: atY(up, value) }, value);
    });
    return `${columns.join('')}${text(middle, AREA.bottom + 18, group, 'text-anchor="middle"')}`;
  });
  const names = legend(
    bars.map(({ name }) => name),
    (index, left, top) => `<rect class="f${index}" x="${px(left + 6)}" y="${px(top - 6)}" width="14" height="12"/>`,
  );
  return document(title, { x, y: y.label }, [horizontalLines(up), ...drawn, names]);
}

interface Column {
  readonly left: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
}

function bar(series: number, { left, width, from, to }: Column, value: number): string {
  const [top, height] = [Math.min(from, to), Math.abs(from - to)];
  const shape = `<rect class="f${series}" x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}"/>`;
  return `${shape}${valueAbove(left + width / 2, top - 4, { width, value })}`;
}

/** Lying where the column is wide enough for it, else upright. */
function valueAbove(x: number, y: number, { width, value }: { width: number; value: number }): string {
  const label = tickText(value);
  if (label.length * 7 <= width) return text(x, y, label, 'class="small" text-anchor="middle"');
  return text(x + 4, y, label, `class="small" transform="rotate(-90 ${px(x + 4)} ${px(y)})"`);
}

const atX = (scale: Scale, value: number) => AREA.left + scale.position(value) * (AREA.right - AREA.left);
const atY = (scale: Scale, value: number) => AREA.bottom - scale.position(value) * (AREA.bottom - AREA.top);

function horizontalLines(scale: Scale): string {
  return scale.ticks
    .map((tick) => {
      const y = atY(scale, tick);
      const line = `<path class="grid" d="M${AREA.left} ${px(y)}H${AREA.right}"/>`;
      return `${line}${text(AREA.left - 8, y + 4, tickText(tick), 'text-anchor="end"')}`;
    })
    .join('\n');
}

function verticalTicks(scale: Scale): string {
  const ticks = scale.ticks.map((tick) => {
    const x = atX(scale, tick);
    const line = `<path class="axis" d="M${px(x)} ${AREA.bottom}v5"/>`;
    return `${line}${text(x, AREA.bottom + 20, tickText(tick), 'text-anchor="middle"')}`;
  });
  return [`<path class="axis" d="M${AREA.left} ${AREA.bottom}H${AREA.right}"/>`, ...ticks].join('\n');
}

function refuseMany(series: readonly unknown[]): void {
  if (series.length > MAX_SERIES) throw new RangeError(`A plot holds at most ${MAX_SERIES} series.`);
}

// Where things lie in a plot, and how they look. Both plots share it.

const WIDTH = 760;
const HEIGHT = 420;
/** The area of the data: below the title and the legend, right of the ticks. */
export const AREA = { left: 78, right: 736, top: 84, bottom: 352 };
/** There are so many colours, and so many series fit into a plot. */
export const MAX_SERIES = 6;

// The background belongs to the picture: it is readable on a page of either colour.
const STYLE = `
svg { --paper: #fff; --ink: #1f2328; --faint: #d8dee4; font: 13px system-ui, -apple-system, sans-serif;
  --s0: #0b62c4; --s1: #c2410c; --s2: #0a7d55; --s3: #a0359c; --s4: #8a6a00; --s5: #57606a }
@media (prefers-color-scheme: dark) { svg { --paper: #0d1117; --ink: #e6edf3; --faint: #30363d;
  --s0: #58a6ff; --s1: #ff9b57; --s2: #3fd39b; --s3: #e58ae0; --s4: #e3c04f; --s5: #9da7b3 } }
.paper { fill: var(--paper) } text { fill: var(--ink) } .title { font-size: 16px; font-weight: 600 }
.small { font-size: 11px } .grid { stroke: var(--faint) } .axis { stroke: var(--ink) } .line { fill: none; stroke-width: 2.2 }
${Array.from({ length: MAX_SERIES }, (_, index) => `.s${index} { stroke: var(--s${index}) } .f${index} { fill: var(--s${index}) }`).join('\n')}
`;

/** Line patterns beside the colours, for readers who cannot tell these apart. */
export const DASHES = ['', '7 4', '2 3', '10 3 2 3', '12 5', '4 2'];

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A coordinate with one decimal: a tenth of a pixel is enough. */
export const px = (value: number) => String(Math.round(value * 10) / 10);

export function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${px(x)}" y="${px(y)}" ${attributes}>${escapeXml(content)}</text>`;
}

/** The legend's entries, side by side under the title, in as many rows as they need (two fit). */
export function legend(names: readonly string[], sample: (index: number, x: number, y: number) => string): string {
  let x = AREA.left;
  let y = 48;
  return names
    .map((name, index) => {
      const width = 44 + name.length * 7;
      if (x + width > AREA.right) [x, y] = [AREA.left, y + 18];
      const entry = `${sample(index, x, y - 4)}${text(x + 32, y, name)}`;
      x += width;
      return entry;
    })
    .join('\n');
}

/** The whole picture: the title, the names of the axes, and `content`. */
export function document(title: string, axes: { x: string; y: string }, content: readonly string[]): string {
  const middle = { x: (AREA.left + AREA.right) / 2, y: (AREA.top + AREA.bottom) / 2 };
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
    text(AREA.left, 26, title, 'class="title"'),
    text(middle.x, HEIGHT - 16, axes.x, 'text-anchor="middle"'),
    text(-middle.y, 20, axes.y, 'text-anchor="middle" transform="rotate(-90)"'),
    ...content,
    '</svg>',
  ].join('\n')}\n`;
}

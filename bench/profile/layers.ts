// To which layer a function of a CPU profile belongs.

export interface Frame {
  readonly functionName: string;
  readonly url: string;
}

const NODE_HTTP = /^node:(_http|http|internal\/http)/;
const NODE_FILES = /^node:(fs|internal\/fs)/;
const NODE_STREAMS =
  /^node:(net|stream|buffer|timers|events|string_decoder|internal\/(streams|stream_base|timers|event))/;

/** @returns the layer, or undefined for time in which the process had nothing to do */
export function layerOf({ functionName, url }: Frame): string | undefined {
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)') return 'outside of JavaScript';
  if (url === '') return 'built-in functions';
  if (url.startsWith('node:')) return layerOfNode(url);
  return libraryOf(url) ?? roomOf(url) ?? 'other';
}

function layerOfNode(module: string): string {
  if (NODE_HTTP.test(module)) return 'Node: HTTP';
  if (NODE_FILES.test(module)) return 'Node: files';
  return NODE_STREAMS.test(module) ? 'Node: sockets, streams, timers' : 'Node: other';
}

/** The package that a file belongs to: the innermost one. */
function libraryOf(url: string): string | undefined {
  const [scope, name] = url.split('/node_modules/').slice(1).at(-1)?.split('/') ?? [];
  return scope?.startsWith('@') ? `${scope}/${name}` : scope;
}

/** The folder of src/ that a file, or its compiled one, is in, `src/calls/transport`: two levels at most. A file of src/ itself is `src`. */
function roomOf(url: string): string | undefined {
  const path = url.split('/dist/')[1] ?? url.split('/src/')[1];
  return path === undefined ? undefined : ['src', ...path.split('/').slice(0, -1)].slice(0, 3).join('/');
}

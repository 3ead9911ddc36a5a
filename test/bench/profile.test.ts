import { expect, test } from 'vitest';
import { summarise } from '../../bench/profile/cpu-profile.ts';
import { layerOf } from '../../bench/profile/layers.ts';

test.each([
  ['(idle)', '', undefined],
  ['(garbage collector)', '', 'garbage collection'],
  ['(program)', '', 'outside of JavaScript'],
  ['parse', '', 'built-in functions'],
  ['writeHead', 'node:_http_server', 'Node: HTTP'],
  ['write', 'node:internal/streams/writable', 'Node: sockets, streams, timers'],
  ['writeSync', 'node:fs', 'Node: files'],
  ['processTicksAndRejections', 'node:internal/process/task_queues', 'Node: other'],
  ['execute', 'file:///home/me/trivium/node_modules/graphql/execution/execute.js', 'graphql'],
  ['handle', 'file:///srv/node_modules/@pothos/core/esm/index.js', '@pothos/core'],
  ['load', 'file:///srv/node_modules/one/node_modules/@scope/inner/index.js', '@scope/inner'],
  ['get', 'file:///srv/dist/calls/transport/call.js', 'src/calls/transport'],
  ['rows', 'file:///srv/dist/graph/a/b/c.js', 'src/graph/a'],
  ['main', 'file:///srv/dist/main.js', 'src'],
  ['wasm', 'wasm://wasm/1234', 'other'],
])('the time of %s of %j belongs to the layer %s', (functionName, url, layer) => {
  expect(layerOf({ functionName, url })).toBe(layer);
});

test('a profile is summed up by layer, without idle time and without what lies outside of the window', () => {
  const frame = (id: number, functionName: string, url = '') => ({ id, callFrame: { functionName, url } });
  const profile = {
    nodes: [frame(1, '(idle)'), frame(2, '(garbage collector)'), frame(3, 'execute', 'file:///p/dist/graph/a.js')],
    startTime: 1000,
    samples: [3, 1, 2, 3, 3, 2],
    timeDeltas: [100, 100, 100, 100, 200, 900],
  };

  expect(summarise(JSON.stringify(profile), { from: 1150, to: 1700 })).toEqual([
    { layer: 'src/graph', share: 0.75 },
    { layer: 'garbage collection', share: 0.25 },
  ]);
});

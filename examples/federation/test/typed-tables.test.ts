import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTrivium } from '../../trivium.ts';
import { composed, startGateway } from '../src/gateway.ts';
import { sdlAt } from '../src/graph.ts';
import { startSubgraph } from '../src/subgraph.ts';
import { admin, asker } from './support/ask.ts';
import { callCounter } from './support/watch.ts';

// A service that extends a record of a typed table, and refers to it by the upstream id.

const FLEX_SCHEMA = fileURLToPath(new URL('../../codegen/flex.schema.json', import.meta.url));

const sdl = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])

  type Query {
    timers: [Timer!]
  }

  type Timer @key(fields: "id") {
    id: ID!
    task: TrackerTask
  }

  type TrackerTask @key(fields: "upstreamId") {
    upstreamId: ID!
    minutes: Int
  }
`;

let open: { close(): Promise<void> }[] = [];
let ask: ReturnType<typeof asker>;
let counted: ReturnType<typeof callCounter>;
let tasks: { upstreamId: string }[] = [];

beforeAll(async () => {
  const running = await startTrivium(['serve', '--subgraph', '--flex-schema', FLEX_SCHEMA], { LOG_LEVEL: 'info' });
  open = [running];
  const listed = await asker(running.url)('{ tracker { tasks(first: 3) { nodes { upstreamId } } } }', admin);
  tasks = Object(listed.data).tracker.tasks.nodes;
  const timers = await startSubgraph(
    'timers',
    {
      Query: { timers: () => tasks.map((task, index) => ({ id: `T-${index}`, task })) },
      TrackerTask: {
        minutes: (task: { upstreamId: string }) => 10 * tasks.findIndex((each) => each.upstreamId === task.upstreamId),
      },
    },
    sdl,
  );
  open.unshift(timers);
  const trivium = { ...running, name: 'trivium', sdl: await sdlAt(running.url) };
  const gateway = await startGateway(composed([trivium, timers]));
  open.unshift(gateway);
  ask = asker(gateway.url);
  counted = callCounter(running);
});
afterAll(async () => {
  for (const part of open) await part.close();
});

test('rows of a table have the fields of another subgraph', async () => {
  const { data, errors } = await ask('{ tracker { tasks(first: 3) { nodes { id title minutes } } } }');
  expect(errors).toEqual([]);
  const row = (minutes: number) => ({ id: expect.stringMatching(/^TrackerTask:/), title: expect.any(String), minutes });
  expect(data).toEqual({ tracker: { tasks: { nodes: [row(0), row(10), row(20)] } } });
});

test('another subgraph has rows of a table, by the upstream id, for one call upstream', async () => {
  const { result, ...calls } = await counted(() =>
    ask('query Timers { timers { id task { id title dueAt minutes } } }'),
  );
  const { data, errors } = result;
  expect(errors).toEqual([]);
  expect(data).toEqual({
    timers: tasks.map(({ upstreamId }, index) => ({
      id: `T-${index}`,
      task: {
        id: `TrackerTask:${upstreamId}`,
        title: expect.any(String),
        dueAt: expect.any(String),
        minutes: 10 * index,
      },
    })),
  });
  expect(tasks).toHaveLength(3);
  expect(calls).toEqual({ requests: 1, upstreamCalls: 1 });
});

import { describe, expect, test } from 'vitest';
import { sharedTypedDemo } from './support.ts';
import { RECORDS, SEARCH } from '../flex/support.ts';

const typedDemo = sharedTypedDemo();

describe('a list of a table', () => {
  test('is one search that requests the selected fields, ordered by id', async () => {
    const { ask, sandbox } = await typedDemo();

    const data = await ask(
      '{ tracker { tasks(first: 2) { nodes { __typename id upstreamId title dueAt priority createdAt } } } }',
    );
    expect(data).toEqual({
      tracker: {
        tasks: {
          nodes: [1, 2].map(() => ({
            __typename: 'TrackerTask',
            id: expect.stringMatching(/^TrackerTask:/),
            upstreamId: expect.any(String),
            title: expect.any(String),
            dueAt: expect.any(String),
            priority: expect.any(Number),
            createdAt: expect.any(String),
          })),
        },
      },
    });
    expect(sandbox.calls()).toEqual([SEARCH]);
    expect(sandbox.requests[0]?.query).toEqual({
      table_name: 'tasks',
      sort: 'id',
      fields: 'title,priority,due_at',
      limit: '2',
      offset: '0',
    });
  });

  test('of no field of the data requests the id alone', async () => {
    const { ask, sandbox } = await typedDemo();

    await ask('{ tracker { tasks(first: 1) { edges { cursor node { id updatedAt } } } } }');
    expect(sandbox.requests[0]?.query).toMatchObject({ fields: 'id' });
  });

  test('requests all fields for `extra` alone', async () => {
    const { ask, sandbox } = await typedDemo();

    expect(await ask('{ guestbook { rows(first: 1) { nodes { author extra } } } }')).toEqual({
      guestbook: {
        rows: { nodes: [{ author: expect.any(String), extra: { ip: expect.stringMatching(/^192\.0/), user: '' } }] },
      },
    });
    expect(sandbox.requests[0]?.query).toEqual({ sort: 'id', limit: '1', offset: '0' });
  });

  test('takes a phrase, fields to search, conditions and an order', async () => {
    const { ask, sandbox } = await typedDemo();

    const data = await ask(`{ tracker { tasks(
      query: "café", in: [TITLE, NOTES], orderBy: { field: DUE_AT, direction: DESC }, first: 3,
      filter: { status: { equals: "open" }, title: { matches: "Call*" }, priority: 3, done: false, estimate: "2.5" }
    ) { nodes { title status } } } }`);
    expect(sandbox.requests[0]?.query).toEqual({
      table_name: 'tasks',
      q: 'café',
      search_in: 'title,notes',
      sort: '-due_at',
      fields: 'title,status',
      'filter[status]': 'open',
      'filter[title]': 'Call*',
      'filter[priority]': '3',
      'filter[done]': 'false',
      'filter[estimate]': '2.5',
      limit: '3',
      offset: '0',
    });
    expect(data).toEqual({ tracker: { tasks: { nodes: expect.any(Array) } } });
  });

  test('takes the same from variables', async () => {
    const { ask, sandbox } = await typedDemo();

    await ask(
      `query ($in: [TrackerTaskField!], $filter: TrackerTaskFilter, $orderBy: TrackerTaskOrder) {
        tracker { tasks(in: $in, filter: $filter, orderBy: $orderBy, query: "a") { edges { node { ...row } } } }
      }
      fragment row on TrackerTask { ... on Node { id } dueAt @include(if: true) notes @skip(if: true) }`,
      {
        variables: {
          in: ['DUE_AT'],
          filter: { priority: '3', dueAt: '2026-03-01T08:00:00Z' },
          orderBy: { field: 'UPDATED_AT' },
        },
      },
    );
    expect(sandbox.requests[0]?.query).toMatchObject({
      search_in: 'due_at',
      sort: 'updated_at',
      fields: 'due_at',
      'filter[priority]': '3',
      'filter[due_at]': '2026-03-01T08:00:00Z',
    });
  });

  test.each([
    ['filter: { title: { equals: "100%" } }', 'filter.title.equals'],
    ['filter: { title: { matches: "Call" } }', 'filter.title.matches'],
    ['filter: { dueAt: null }', 'filter.dueAt'],
    ['first: 1000000', 'first'],
    ['after: "x"', 'after'],
  ])('refuses %s before any call', async (args, path) => {
    const { execute, sandbox } = await typedDemo();

    const { data, errors } = await execute(`{ tracker { tasks(${args}) { nodes { id } } } }`);

    expect(data).toEqual({ tracker: { tasks: null } });
    expect(errors).toMatchObject([
      { path: ['tracker', 'tasks'], extensions: { code: 'BAD_USER_INPUT', fields: [{ field: path }] } },
    ]);
    expect(sandbox.calls()).toEqual([]);
  });

  test('has pages that follow each other without a gap', async () => {
    const { execute } = await typedDemo();
    const page = async (after: unknown) => {
      const { data } = await execute(
        'query ($after: String) { tracker { people(first: 4, after: $after) { nodes { name } pageInfo { hasNextPage hasPreviousPage endCursor } } } }',
        { variables: { after } },
      );
      return Object(data).tracker.people;
    };

    const first = await page(null);
    const second = await page(first.pageInfo.endCursor);

    expect(first.pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false, endCursor: 'offset:3' });
    expect(second.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: true, endCursor: 'offset:5' });
    expect(new Set([...first.nodes, ...second.nodes].map(({ name }) => name)).size).toBe(6);
  });

  test('that fails has one error at its field, and none at its parts', async () => {
    const { execute } = await typedDemo();

    const { data, errors } = await execute('{ tracker { tasks { nodes { id } pageInfo { hasNextPage } } } }', {
      token: 'wrong',
    });

    expect(data).toEqual({ tracker: { tasks: null } });
    expect(errors).toMatchObject([{ path: ['tracker', 'tasks'], extensions: { code: 'UNAUTHENTICATED' } }]);
  });
});

describe('one record', () => {
  test('is read by its upstream id or its global id, from one list of its database', async () => {
    const { execute, ask, sandbox } = await typedDemo();
    const { data: listed } = await execute('{ tracker { people(first: 1) { nodes { id upstreamId name } } } }');
    const [person] = Object(listed).tracker.people.nodes;
    sandbox.forgetCalls();

    const data = await ask(
      `query ($id: ID!, $upstreamId: ID!) {
        tracker { a: person(id: $id) { id name } b: person(id: $upstreamId) { name email } task(id: $upstreamId) { id } }
        node(id: $id) { __typename ... on TrackerPerson { role extra } }
        nodes(ids: [$id, "TrackerTask:0", "Client:0"]) { __typename id }
      }`,
      { variables: person },
    );
    expect(data).toEqual({
      tracker: {
        a: { id: person.id, name: person.name },
        b: { name: person.name, email: expect.stringMatching(/^person\d@/) },
        task: null,
      },
      node: { __typename: 'TrackerPerson', role: expect.any(String), extra: {} },
      nodes: [{ __typename: 'TrackerPerson', id: person.id }, null, null],
    });
    expect(sandbox.calls()).toEqual([RECORDS, 'GET /app/clients/:id.json']);
  });

  test('refuses a global id of another type', async () => {
    const { execute, sandbox } = await typedDemo();

    const { data, errors } = await execute(
      '{ tracker { task(id: "TrackerPerson:1") { id } } node(id: "Nothing1:2") { id } }',
    );

    expect(data).toEqual({ tracker: { task: null }, node: null });
    expect(errors.map(({ path, extensions: { code } }) => [path, code])).toEqual([
      [['tracker', 'task'], 'BAD_USER_INPUT'],
      [['node'], 'BAD_USER_INPUT'],
    ]);
    expect(sandbox.calls()).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { accountGateway } from '../account/support.ts';
import { CLIENT, crmGateway } from '../crm/support.ts';
import { DB, flexGateway, flexShop, RECORDS, UPDATE } from '../flex/support.ts';
import type { Operation, Result } from '../support/gateway.ts';
import { sharedTypedDatabase } from '../typed-flex/support.ts';

// `ifUpdatedAt` of each update: a record that is as the caller has read it is changed, another one is shown and left.

const PUT = 'PUT /app/clients/:id.json';
const DASHBOARD = 'GET /toolkit/dashboards/:id.json';
const PATCH = 'PATCH /toolkit/dashboards/:id.json';
const UPDATE_DB = 'PATCH /flex/dbs/:id.json';

const shop = sharedTypedDatabase({
  code: 'shop',
  schema: { tables: { tasks: { fields: { title: 'string', note: 'string' } } } },
});

/** A record, and how the callers of a test read and change it. */
interface Changeable {
  readonly execute: (query: string, operation?: Operation) => Promise<Result>;
  readonly sandbox: { calls(): readonly string[]; forgetCalls(): void };
  readonly id: string;
  /** The field `node` with the name and the time of the record. */
  readonly fields: string;
  /** The mutation that gives it a name, with `$id`, `$name` and `$at`. */
  readonly mutation: string;
  /** The calls of an update with `ifUpdatedAt`, and those of one that is not sent. */
  readonly calls: readonly string[];
}

const ERRORS = `__typename ... on MutationError { message } ... on ConflictError { current { __typename id ...Shown } }`;

/** A flexible record of a gateway of its own. */
async function flexRecord() {
  const over = await flexGateway();
  const db = over.makeDb({ schema: { fields: { name: 'string' } } });
  const [id] = over.makeRecords(db, [{ name: 'old' }]);
  return { ...over, id: `FlexRecord:${db}:${id}`, fields: '... on FlexRecord { data updatedAt db { id } }' };
}

/** A client of a gateway of its own. */
async function client() {
  const over = await crmGateway();
  const id = `Client:${await over.makeClient({ name: 'old' })}`;
  return { ...over, id, fields: '... on Client { name updatedAt }', calls: [CLIENT, PUT] };
}

const updates: Readonly<Record<string, () => Promise<Changeable>>> = {
  updateClient: async () => {
    return {
      ...(await client()),
      mutation: `mutation ($id: ID!, $name: String!, $at: DateTime) {
        result: updateClient(id: $id, input: { name: $name }, ifUpdatedAt: $at) { ${ERRORS} ...Shown }
      }`,
    };
  },
  updateClients: async () => {
    return {
      ...(await client()),
      mutation: `mutation ($id: ID!, $name: String!, $at: DateTime) {
        result: updateClients(inputs: [{ id: $id, input: { name: $name }, ifUpdatedAt: $at }]) { ${ERRORS} ...Shown }
      }`,
    };
  },
  updateDashboard: async () => {
    const over = await accountGateway();
    const { data } = await over.execute(
      'mutation { createDashboard(input: { name: "old" }) { ... on Dashboard { id } } }',
    );
    over.sandbox.forgetCalls();
    return {
      ...over,
      id: idOf(data, 'createDashboard'),
      fields: '... on Dashboard { name updatedAt layout { key } }',
      mutation: `mutation ($id: ID!, $name: String!, $at: DateTime) {
        result: updateDashboard(id: $id, input: { name: $name, layout: [{ key: "todo" }] }, ifUpdatedAt: $at) { ${ERRORS} ...Shown }
      }`,
      calls: [DASHBOARD, PATCH],
    };
  },
  updateFlexDb: async () => {
    const over = await flexGateway();
    return {
      ...over,
      id: `FlexDb:${over.makeDb({ name: 'old' })}`,
      fields: '... on FlexDb { name createdAt updatedAt }',
      mutation: `mutation ($id: ID!, $name: String!, $at: DateTime) {
        result: updateFlexDb(id: $id, input: { name: $name }, ifUpdatedAt: $at) { ${ERRORS} ...Shown }
      }`,
      calls: [DB, UPDATE_DB],
    };
  },
  updateFlexRecord: async () => {
    return {
      ...(await flexRecord()),
      mutation: `mutation ($id: ID!, $name: JSON!, $at: DateTime) {
        result: updateFlexRecord(id: $id, input: { data: { name: $name }, table: null }, ifUpdatedAt: $at) { ${ERRORS} ...Shown }
      }`,
      calls: [RECORDS, UPDATE],
    };
  },
  updateFlexRecords: async () => {
    return {
      ...(await flexRecord()),
      mutation: `mutation ($id: ID!, $name: JSON!, $at: DateTime) {
        result: updateFlexRecords(inputs: [{ id: $id, input: { data: { name: $name }, merge: true, table: null }, ifUpdatedAt: $at }]) {
          ${ERRORS} ...Shown
        }
      }`,
      calls: [RECORDS, RECORDS, UPDATE], // the first one for the merge
    };
  },
  'the update of a typed table': async () => {
    const over = await shop();
    const [id] = over.makeRecords([{ title: 'old', note: 'kept' }], 'tasks');
    return {
      ...over,
      id: `ShopTask:${id}`,
      fields: '... on ShopTask { title note updatedAt }',
      mutation: `mutation ($id: ID!, $name: String!, $at: DateTime) {
        result: updateShopTask(id: $id, input: { title: $name }, ifUpdatedAt: $at) { ${ERRORS} ...Shown }
      }`,
      calls: [RECORDS, RECORDS, UPDATE],
    };
  },
};

const idOf = (data: unknown, field: string) => String(Reflect.get(Object(Reflect.get(Object(data), field)), 'id'));

/** The result of the mutation: of a bulk mutation that of its one item. */
const resultOf = ({ data, errors }: Result) => {
  expect(errors).toEqual([]);
  const result: unknown = Reflect.get(Object(data), 'result');
  return Object(Array.isArray(result) ? result[0] : result);
};

async function open(make: () => Promise<Changeable>) {
  const { execute, sandbox, id, fields, mutation, calls } = await make();
  const read = async () => {
    const { data } = await execute(`query ($id: ID!) { node(id: $id) { ${fields} } }`, { variables: { id } });
    const node = Object(Reflect.get(Object(data), 'node'));
    return { node, at: String(Reflect.get(node, 'updatedAt')) };
  };
  const change = async (name: string, at?: string | null, of = id) => {
    sandbox.forgetCalls();
    const query = `${mutation} fragment Shown on Node { ${fields} }`;
    const result = await execute(query, { variables: { id: of, name, ...(at !== undefined && { at }) } });
    return { result, calls: [...sandbox.calls()] };
  };
  return { id, read, change, calls };
}

describe.each(Object.entries(updates))('%s with ifUpdatedAt', (_name, make) => {
  test('changes a record that is as the caller has read it, and reads it first', async () => {
    const { read, change, calls } = await open(make);
    const { node, at } = await read();
    const { result, calls: called } = await change('new', at);
    expect(resultOf(result)).not.toHaveProperty('message');
    expect(called.slice(0, calls.length)).toEqual(calls);
    const after = await read();
    expect(JSON.stringify(after.node)).toContain('"new"');
    expect(JSON.stringify(after.node).includes('kept')).toBe(JSON.stringify(node).includes('kept'));
  });

  test('is a ConflictError with the record as it is when another caller has changed it, and sends nothing', async () => {
    const { id, read, change, calls } = await open(make);
    const { at } = await read();
    await change('of another caller');
    const { node, at: now } = await read();
    expect(now).not.toBe(at);
    const { result, calls: called } = await change('new', at);
    expect(resultOf(result)).toEqual({
      __typename: 'ConflictError',
      message: expect.stringContaining('Nothing was changed'),
      current: { __typename: id.split(':')[0], id, ...node },
    });
    expect(called).not.toContain(calls.at(-1));
    expect((await read()).node).toEqual(node);
    expect(resultOf((await change('new', now)).result)).not.toHaveProperty('message');
  });

  test('is a NotFoundError for a record that is none', async () => {
    const { id, read, change, calls } = await open(make);
    const { at } = await read();
    const missing = id.replace(/[^:]+$/, (known) => (/^\d+$/.test(known) ? '99' : known.replace(/.{8}$/, '00000000')));
    const { result, calls: called } = await change('new', at, missing);
    expect(resultOf(result)).toMatchObject({ __typename: 'NotFoundError' });
    expect(called).not.toContain(calls.at(-1));
  });

  test('refuses null before any write: such a record would be overwritten', async () => {
    const { change, calls } = await open(make);
    const { result, calls: called } = await change('new', null);
    expect(resultOf(result)).toMatchObject({
      __typename: 'ValidationError',
      message: expect.stringContaining('`ifUpdatedAt` cannot be null; leave it out'),
    });
    expect(called).not.toContain(calls.at(-1));
  });

  test('makes no further call when it is left out', async () => {
    const { change, calls } = await open(make);
    const { result, calls: called } = await change('new');
    expect(resultOf(result)).not.toHaveProperty('message');
    expect(called.slice(0, calls.length - 1)).toEqual(calls.slice(1));
  });
});

// A database has an id and a code: its turn is that of the id.
test('updateFlexDb by a code asks for the id first, and refuses null before that', async () => {
  const { execute, sandbox, db } = await flexShop();
  const { data } = await execute(`{ flexDb(id: "FlexDb:${db}") { updatedAt } }`);
  const at = String(Reflect.get(Object(Reflect.get(Object(data), 'flexDb')), 'updatedAt'));
  sandbox.forgetCalls();
  const change = async (ifUpdatedAt: string | null) =>
    execute(
      `mutation ($ifUpdatedAt: DateTime) {
        result: updateFlexDb(id: "shop", input: { name: "new" }, ifUpdatedAt: $ifUpdatedAt) { __typename }
      }`,
      { variables: { ifUpdatedAt } },
    );

  expect(resultOf(await change(null))).toEqual({ __typename: 'ValidationError' });
  expect(sandbox.calls()).toEqual([]);
  expect(resultOf(await change(at))).toEqual({ __typename: 'FlexDb' });
  expect(sandbox.calls()).toEqual([DB, DB, UPDATE_DB]);
  expect(sandbox.requests.at(-1)?.path).toContain(db);
});

test('a dry run of updateFlexDb writes nothing, so it does not compare the time', async () => {
  const { ask, sandbox, db } = await flexShop();
  const dry = `mutation ($id: ID!) {
    updateFlexDb(id: $id, input: { name: "new" }, ifUpdatedAt: "2020-01-01T00:00:00Z", dryRun: true) { __typename }
  }`;
  expect(await ask(dry, { variables: { id: `FlexDb:${db}` } })).toEqual({ updateFlexDb: { __typename: 'FlexDbPlan' } });
  expect(sandbox.calls()).toEqual([DB]);
});

import { z } from 'zod';
import type { SandboxOptions } from '../../../src/sandbox/server.ts';
import { type CallOptions, freshSandbox } from '../../support/sandbox.ts';

export { refusal } from '../account/support.ts';

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const database = z.looseObject({ id: z.string(), code: z.string().nullable() });
const record = z.looseObject({
  id: z.string(),
  table_name: z.string().nullable(),
  data: z.unknown(),
  created_at: z.string(),
  updated_at: z.string(),
});
const found = z.array(z.looseObject({ id: z.string(), created_at: z.string(), updated_at: z.string() }));

/** An account with one user, who has no permission. */
export async function flexSandbox(options: SandboxOptions = {}) {
  const { sandbox, call } = await freshSandbox(options);
  const account = sandbox.store.createAccount().id;
  const { id: user, token } = sandbox.store.createUser({ account, name: 'Ada' });
  const as = (method: string, path: string, body?: unknown) =>
    call(method, path, { token, ...(body !== undefined && { body }) });

  return {
    sandbox,
    call,
    account,
    user,
    token,
    /** A request of the user. */
    as,
    /** A request of the user whose body, and its answer, are JSON texts as they are. */
    asText: async (method: string, path: string, body?: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      const sent = { method, headers, ...(body !== undefined && { body }) };
      const response = await fetch(sandbox.urls.flex + path, sent);
      return { status: response.status, text: await response.text() };
    },
    /** A request to make a database. */
    postDatabase: (fields: object) => as('POST', '/flex/dbs.json', { db: { name: 'D', ...fields } }),
    /** A database that was made over the API. */
    makeDatabase: async (fields: object = {}) =>
      database.parse((await as('POST', '/flex/dbs.json', { db: { name: 'D', code: 'd', ...fields } })).body),
    postRecord: (fields: object, db = 'd') => as('POST', `/flex/dbs/${db}/records.json`, { record: fields }),
    /** A record that was made over the API. */
    makeRecord: async (data: unknown, table_name: string | null = null, db = 'd') =>
      record.parse((await as('POST', `/flex/dbs/${db}/records.json`, { record: { table_name, data } })).body),
    patchRecord: (id: string, fields: object, db = 'd') =>
      as('PATCH', `/flex/dbs/${db}/records/${id}.json`, { record: fields }),
    /** All records of a database. */
    listed: async (db = 'd') => z.array(record).parse((await as('GET', `/flex/dbs/${db}/records.json`)).body),
    /** The answer to a search. */
    trySearch: (params: Record<string, string>, db = 'd') =>
      as('GET', `/flex/dbs/${db}/search.json?${new URLSearchParams(params)}`),
    /** What a search found. */
    search: async (params: Record<string, string>, db = 'd') =>
      found.parse((await as('GET', `/flex/dbs/${db}/search.json?${new URLSearchParams(params)}`)).body),
    /** A call of a public method, without authorization. */
    callPublic: (method: string, body: object = {}, headers: CallOptions['headers'] = {}) =>
      call('POST', `/flex/db/d/${method}`, { body, headers }),
  };
}

/** The same with a database `d` that has these fields. */
export async function flexDatabase(fields: object = {}, options: SandboxOptions = {}) {
  const context = await flexSandbox(options);
  const { id } = await context.makeDatabase(fields);
  return { ...context, database: id };
}

export const publicRecord = z.looseObject({ id: z.string(), data: z.record(z.string(), z.unknown()) });

/** The same with a database `d` that has these public methods. */
export async function published(public_methods: object, schema: unknown = null) {
  const context = await flexDatabase({ public_methods, schema });
  return {
    ...context,
    /** A record that a visitor made. */
    create: async (data: unknown, headers: CallOptions['headers'] = {}) =>
      publicRecord.parse((await context.callPublic('create', { data }, headers)).body),
    /** The data of the records that a list finds. */
    listedData: async (params: object = {}, headers: CallOptions['headers'] = {}) =>
      z
        .array(publicRecord)
        .parse((await context.callPublic('list', params, headers)).body)
        .map(({ data }) => data),
  };
}

/** Fields of several types for searches. */
export const fields = {
  name: 'string',
  size: 'integer',
  price: 'number',
  ok: 'boolean',
  at: 'datetime',
  day: 'date',
  note: 'text',
};

/** A database `d` with these records, made in this order. */
export async function searchable(schema: unknown, records: readonly object[], table?: string) {
  const context = await flexDatabase({ schema });
  const rows = records.map((data) => ({ ...data }));
  context.sandbox.store.createFlexRecords(context.database, rows, table);
  /** The names of what was found. */
  const names = async (params: Record<string, string>) => (await context.search(params)).map(({ name }) => name);
  return { ...context, names };
}

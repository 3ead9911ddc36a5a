import { expect } from 'vitest';
import type { Config } from '../../src/config.ts';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import { flexGateway } from '../flex/support.ts';
import { gatewayOver, settingsFor, type TestGateway } from '../support/gateway.ts';
import { single } from './public-support.ts';
import { snapshotFile } from './snapshot-files.ts';

/** The settings that serve the public methods of a database `book` alone, from a snapshot. */
export async function publicSettings(public_methods: object, definition: object = single): Promise<Partial<Config>> {
  const FLEX_SCHEMA = await snapshotFile({ id: '7', code: 'book', schema: definition, public_methods });
  return { PUBLIC: 'true', FLEX_SCHEMA };
}

interface BookOptions {
  /** The definition of the database. */
  readonly schema?: object;
  readonly settings?: Partial<Config>;
  readonly sandbox?: SandboxOptions;
}

/** A database `book` with these public methods in a fresh sandbox, and a gateway that serves them alone. */
export async function publicBook(public_methods: object, { schema = single, settings, sandbox }: BookOptions = {}) {
  const untyped = await flexGateway({}, sandbox);
  const db = untyped.makeDb({ code: 'book', public_methods: { ...public_methods }, schema: { ...schema } });
  const all = { ...settingsFor(untyped.sandbox), ...(await publicSettings(public_methods, schema)), ...settings };
  const over: TestGateway = await gatewayOver(untyped.sandbox.urls.account, all);
  const run = (query: string, headers: Readonly<Record<string, string>> = {}) =>
    over.execute(query, { token: null, headers });
  /** As `run`, for an operation that must have no error. Returns its data. */
  const ask = async (query: string, headers?: Readonly<Record<string, string>>) => {
    const { data, errors } = await run(query, headers);
    expect(errors).toEqual([]);
    return data;
  };
  return { ...untyped, ...over, db, run, ask };
}

import { flexApiOf } from '../upstreams/apis.ts';
import type { Config } from '../config.ts';
import type { FlexSource } from '../flex/source.ts';
import type { FlexDbRecord } from '../flex/wire.ts';
import { GatewayError } from '../http/errors.ts';
import { Upstreams } from '../upstreams/upstreams.ts';
import { callerWith, explainFailure, tokenFromSetting } from './doctor.ts';
import { UsageError } from './usage.ts';

/**
 * Reads the whole records of all databases, with the token of the settings.
 *
 * @throws UsageError for a read that fails, in words that say what to do
 */
export async function readDatabases(config: Config): Promise<readonly FlexDbRecord[]> {
  const upstreams = new Upstreams(config);
  const { flex } = upstreams.context(callerWith({ authorization: `Bearer ${config.API_TOKEN}` }));
  try {
    return await wholeRecords(flex);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const why = explainFailure(error, flexApiOf(config).setting, tokenFromSetting('API_TOKEN', config.API_TOKEN));
    throw new UsageError(`flex: ${why}`, { cause: error });
  } finally {
    await upstreams.close();
  }
}

/** Not documented (A222): whether the list has whole records. One that lacks a schema or methods is read by its id. */
async function wholeRecords(flex: FlexSource): Promise<readonly FlexDbRecord[]> {
  const databases = await flex.databases();
  const [problem] = databases.problems;
  if (problem) throw problem; // a database that is left out would be taken for one that is gone
  return Promise.all(
    Array.from(databases, (database) => {
      const isWhole = Object.hasOwn(database, 'schema') && Object.hasOwn(database, 'public_methods');
      return isWhole ? database : flex.database(database.id);
    }),
  );
}

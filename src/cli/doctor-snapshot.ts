import type { FlexSource } from '../flex/source.ts';
import { GatewayError } from '../http/errors.ts';
import type { DefinitionWatch } from '../typed-flex/changes/definition-watch.ts';
import { entryPath } from '../typed-flex/snapshot/entry-path.ts';

/** The result of the comparison, as a sentence for the user. */
interface Comparison {
  readonly ok: boolean;
  readonly text: string;
}

/**
 * Compares the databases of FLEX_SCHEMA with those of the account.
 *
 * @param watch has seen the list of databases. Those that the list does not describe are read one by one
 */
export async function compareWithSnapshot(watch: DefinitionWatch, flex: FlexSource): Promise<Comparison> {
  await Promise.all(watch.unseen().map(async (id) => flex.database(id).catch(ignoreGatewayError)));
  const { databases, compared, changed, missing } = watch.report();
  const problems = [
    ...(changed.length > 0 ? [`another definition than in the snapshot: ${listed(changed)}`] : []),
    ...(missing.length > 0 ? [`not in the account of API_TOKEN: ${listed(missing)}`] : []),
    ...(compared < databases ? [`could not be read: ${databases - compared}`] : []),
  ];
  if (problems.length === 0) return { ok: true, text: `describes databases as they are: ${databases}.` };
  return { ok: false, text: `${problems.join('; ')}. \`trivium flex diff\` says what that changes.` };
}

/** A code may have any characters, and the line goes to a terminal. */
function listed(keys: readonly string[]): string {
  return keys.map((key) => entryPath([key])).join(', ');
}

/** For `.catch`: the watch counts a database that could not be read as one that is not compared. */
function ignoreGatewayError(error: unknown): void {
  if (!(error instanceof GatewayError)) throw error;
}

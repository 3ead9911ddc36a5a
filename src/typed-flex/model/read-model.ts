import type { GraphQLSchema } from 'graphql';
import { quoted, SnapshotError } from '../snapshot/snapshot-error.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type MadeName, makeNames } from './default-names.ts';
import type { TypedModel } from './model.ts';
import type { NameProblem } from './naming.ts';
import { namedModel } from './named-model.ts';

/**
 * Gives the databases of a snapshot the names of its mapping.
 *
 * @param base the schema that types are laid over: its names are reserved
 * @throws SnapshotError for names that are missing, empty, reserved, equal, or no names of GraphQL, and for references to
 *   types that do not exist
 */
export function modelOf(snapshot: Snapshot, base: GraphQLSchema): TypedModel {
  const { model, problems } = namedModel(snapshot, base);
  if (problems.length > 0) throw new SnapshotError(problemLines(problems, snapshot, base));
  return model;
}

/**
 * Tells the problems of a mapping: a line for each, which names the entry and says what to write. That of an empty name says why
 * no pull makes one. Names that a pull makes of it have no lines of their own.
 */
export function problemLines(
  problems: readonly NameProblem[],
  snapshot: Pick<Snapshot, 'databases' | 'names'>,
  base: GraphQLSchema,
): readonly string[] {
  if (!problems.some(({ isOpen }) => isOpen))
    return problems.map(({ entries: [entry], problem }) => `${entry}: ${problem}.`);
  const { made } = makeNames(snapshot.databases, snapshot.names, base);
  return problems.flatMap(({ entries: [entry = ''], problem, isOpen }) => {
    const reason = isOpen ? reasonOf(made.get(entry)) : '';
    return reason === undefined ? [] : [`${entry}: ${problem}${reason}.`];
  });
}

/** Undefined for a name that is made of another one, which is empty. */
function reasonOf(made: MadeName | undefined): string | undefined {
  if (made === undefined) return '';
  if (typeof made === 'string') return `: \`trivium flex pull\` makes it ${quoted(made)}`;
  return 'reason' in made ? `: ${made.reason}` : undefined;
}

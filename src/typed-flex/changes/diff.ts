import type { GraphQLSchema } from 'graphql';
import { criticalities, type SchemaChange, schemaChanges } from './changes.ts';
import { definitionDifferences } from './definition-differences.ts';
import { lenientModel } from './lenient-model.ts';
import type { TypedModel } from '../model/model.ts';
import { publicSchema } from '../public/public-schema.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { typedSchema } from '../typed-schema.ts';

/** How the definitions of an account differ from those of a snapshot, in words. */
export interface SnapshotDiff {
  /** Whether an operation that is valid against the schema of the snapshot becomes invalid, or means something else. */
  readonly isBreaking: boolean;
  /** Lines that hold names, types and descriptions. Empty when no definition differs. */
  readonly text: string;
}

/**
 * Compares a snapshot with one that a pull would write now: their definitions, and the GraphQL schemas that they make.
 *
 * @param base the schema that types are laid over
 */
export async function diffSnapshots(before: Snapshot, after: Snapshot, base: GraphQLSchema): Promise<SnapshotDiff> {
  const differences = definitionDifferences(before.databases, after.databases);
  if (differences.length === 0) return { isBreaking: false, text: '' };
  const one = lenientModel(before.databases, before.names, base).model;
  const { model: other, problems } = lenientModel(after.databases, after.names, base);
  const typed = await schemaChanges(typedSchema(base, one), typedSchema(base, other));
  const anonymous = await schemaChanges(publicOrNone(base, one), publicOrNone(base, other));
  const sections = [
    section('Definitions', differences),
    section('GraphQL schema', changeLines(typed)),
    section('Anonymous GraphQL schema', changeLines(anonymous)),
    section('Names to write after a pull; without them, these parts have no types', problems),
  ];
  const isBreaking = [...typed, ...anonymous].some(({ criticality }) => criticality === 'BREAKING');
  return { isBreaking, text: sections.join('') };
}

/** The anonymous schema. Undefined when no database has a public method. */
function publicOrNone(base: GraphQLSchema, model: TypedModel): GraphQLSchema | undefined {
  const isPublic = model.databases.some(({ publicMethods }) => publicMethods !== undefined);
  return isPublic ? publicSchema(base, model) : undefined;
}

/** Changes by criticality, the worst first. */
function changeLines(changes: readonly SchemaChange[]): readonly string[] {
  return criticalities.flatMap((criticality) => {
    const group = changes.filter((change) => change.criticality === criticality);
    if (group.length === 0) return [];
    return [`${criticality.toLowerCase()}:`, ...group.map(({ path, message }) => `  ${path}: ${printable(message)}`)];
  });
}

/** On one line. A description may hold a name with any characters. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

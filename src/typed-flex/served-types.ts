import type { GraphQLSchema } from 'graphql';
import type { NodeType } from '../graphql/node.ts';
import { DefinitionWatch } from './changes/definition-watch.ts';
import type { TypedModel } from './model/model.ts';
import { modelOf } from './model/read-model.ts';
import { publicSchema } from './public/public-schema.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { typedNodes, typedSchema } from './typed-schema.ts';

/** A schema with the types of a snapshot. */
export interface ServedTypes {
  readonly schema: GraphQLSchema;
  readonly model: TypedModel;
  /** The types of records that have global ids. */
  readonly nodes: readonly NodeType[];
  /** Creates what notices databases whose definitions are others than those of the types. */
  readonly watch: (onDrift: ConstructorParameters<typeof DefinitionWatch>[1]) => DefinitionWatch;
}

/**
 * Adds the types of a snapshot to a schema.
 *
 * @throws SnapshotError for names that cannot be used
 */
export function typesOf(snapshot: Snapshot, base: GraphQLSchema): ServedTypes {
  const model = modelOf(snapshot, base);
  return {
    schema: typedSchema(base, model, { assumeValid: true }),
    model,
    nodes: typedNodes(model),
    watch: (onDrift) => new DefinitionWatch(snapshot, onDrift),
  };
}

/**
 * Makes the schema of the public methods of a snapshot.
 *
 * @throws SnapshotError for names that cannot be used, and when no database has a public method
 */
export function publicTypesOf(snapshot: Snapshot, base: GraphQLSchema): Pick<ServedTypes, 'schema' | 'model'> {
  const model = modelOf(snapshot, base);
  return { schema: publicSchema(base, model), model };
}

import { ImplementableObjectRef } from '@pothos/core';
import DataLoader from 'dataloader';
import { builder } from './builder.ts';
import type { Context } from '../operation/context.ts';
import { shownId } from '../calls/transport/path.ts';
import { globalId, idArgument, upstreamId } from './ids.ts';

const idDescription = 'Global id: the type and the upstream id, such as `Client:42`.';

/** The interface of all records with a global id. */
export const Node = builder.interfaceRef<object>('Node').implement({
  description: 'A record with an id that is unique in the whole graph.',
  fields: (t) => ({ id: t.id({ nullable: false, description: idDescription }) }),
});

/** Loads records by upstream ids: one entry per id, in the order of the ids. */
type Load<T> = (ids: readonly string[], context: Context) => Promise<readonly (T | null | Error)[]>;

type Types = typeof builder.$inferSchemaTypes;

/**
 * The loader of a type in an operation. It is kept on the operation's context. In a weak map by contexts, as the plugin of
 * loaders would keep it, V8 would not free it, its context and all that was read until the next collection of the whole heap.
 *
 * The loader has no cache. The data source caches the reads of the operation, and clears them when the operation writes.
 */
export function operationLoader<T>(type: object, load: Load<T>, context: Context): DataLoader<string, T | null> {
  const { trace } = context;
  trace?.joinBatch(type);
  const known = context.shared.get(type);
  if (known instanceof DataLoader) return known;
  const loader = new DataLoader<string, T | null>(
    async (ids) => (trace ? trace.runBatch(type, async () => load(ids, context)) : load(ids, context)),
    { cache: false },
  );
  context.shared.set(type, loader);
  return loader;
}

/** A type with global ids. Fields of the type may resolve to an upstream id. */
class NodeRef<T extends { readonly id: string }> extends ImplementableObjectRef<Types, T | string, T> {
  /** The loader of the type in an operation. */
  readonly getDataloader: (context: Context) => DataLoader<string, T | null>;

  constructor(name: string, load: Load<T>) {
    super(builder, name);
    const getDataloader = (context: Context) => operationLoader(this, load, context);
    this.getDataloader = getDataloader;
    // The plugin of loaders finds it there.
    this.updateConfig((config) => ({ ...config, extensions: { ...config.extensions, getDataloader } }));
  }
}

/**
 * Creates a type with global ids whose records a data source loads by upstream ids. Fields of the type may resolve to an id.
 *
 * @param load returns one entry per id, in the order of the ids: the record, null when it is missing, an Error when the
 *   read failed
 * @param idOf returns the part of the global id after the type's name, and throws for an id that no caller could send back
 */
export function nodeRef<T extends { readonly id: string }>(
  name: string,
  load: Load<T>,
  idOf: (record: T) => string = shownId,
): NodeRef<T> {
  const ref = new NodeRef(name, load);
  ref.addInterfaces([Node]);
  builder.objectField(ref, 'id', (t) =>
    t.id({ nullable: false, description: idDescription, resolve: (record) => globalId(name, idOf(record)) }),
  );
  return ref;
}

/** Adds the query of one record by its id. It resolves to the id: the type loads itself. */
export function nodeQuery(name: string, type: NodeRef<{ readonly id: string }>, description: string): void {
  builder.queryField(name, (t) =>
    t.field({
      type,
      description,
      args: { id: idArgument(t.arg) },
      resolve: (_root, { id }) => upstreamId(id, type.name),
    }),
  );
}

/**
 * In the extensions of a schema in which a record has several types: what precedes the id of the record in each other global id, by
 * what precedes it in one, such as `Client:`.
 */
export class OtherIds extends Map<string, readonly string[]> {
  of(id: string): readonly string[] {
    const starts = Array.from(id.matchAll(/:/g), ({ index }) => id.slice(0, index + 1));
    const start = starts.find((known) => this.has(known)) ?? '';
    return (this.get(start) ?? []).map((other) => other + id.slice(start.length));
  }
}

interface Deletion {
  readonly deletedId: string;
  /** Global ids of records that went along. */
  readonly others?: readonly string[];
}

export const DeletedNode = builder.objectRef<Deletion>('DeletedNode').implement({
  description: 'A deleted record.',
  fields: (t) => ({
    deletedIds: t.idList({
      nullable: false,
      description:
        'The global ids of all records that are gone, and all ids of each, for the cache of a client: the first is `deletedId`.',
      resolve: ({ deletedId, others = [] }, _args, _context, { schema: { extensions } }) => {
        const { otherIds } = extensions;
        return [deletedId, ...others, ...(otherIds instanceof OtherIds ? otherIds.of(deletedId) : [])];
      },
    }),
    deletedId: t.exposeID('deletedId', { nullable: false, description: 'The global id of the deleted record.' }),
  }),
});

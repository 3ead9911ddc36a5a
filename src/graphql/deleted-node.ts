import { builder } from '../builder.ts';

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
      description: 'The global ids of all records that are gone, for the cache of a client: the first is `deletedId`.',
      resolve: ({ deletedId, others = [] }) => [deletedId, ...others],
    }),
    deletedId: t.exposeID('deletedId', { nullable: false, description: 'The global id of the deleted record.' }),
  }),
});

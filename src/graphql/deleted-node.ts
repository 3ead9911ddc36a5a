import { builder } from '../builder.ts';

export const DeletedNode = builder.objectRef<{ readonly deletedId: string }>('DeletedNode').implement({
  description: 'A deleted record.',
  fields: (t) => ({
    deletedId: t.exposeID('deletedId', { nullable: false, description: 'The global id of the deleted record.' }),
  }),
});

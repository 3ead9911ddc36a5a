import { builder } from '../builder.ts';

export const DeletedNode = builder.objectRef<{ readonly deletedId: string }>('DeletedNode').implement({
  description: 'A record that is gone.',
  fields: (t) => ({
    deletedId: t.exposeID('deletedId', { nullable: false, description: 'The global id that it had.' }),
  }),
});

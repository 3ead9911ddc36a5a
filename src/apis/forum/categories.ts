import { nodeRef } from '../../graph/node-ref.ts';
import { builder } from '../../graph/builder.ts';
import { text } from '../../formats/leaves.ts';
import { fieldResolver } from '../../graph/lists/lazy-fields.ts';
import type { ForumCategoryRecord } from './wire.ts';

export const ForumCategory = nodeRef<ForumCategoryRecord>(
  'ForumCategory',
  async (ids, { forum }) => {
    const categoriesById = new Map(Array.from(await forum.categories(), (category) => [category.id, category]));
    return ids.map((id) => categoriesById.get(id) ?? null);
  },
  ({ id }) => id, // no path has it
);

const key = fieldResolver<ForumCategoryRecord>();

builder.objectType(ForumCategory, {
  name: 'ForumCategory',
  description: 'A category of suggestions. Read by id, it comes from the list of `GET /app/categories.xml`.',
  fields: (t) => ({
    upstreamId: t.exposeID('id', { nullable: false, description: 'Id in the forum.' }),
    name: t.string({ description: 'Its name, which is also its path.', resolve: key('name', text) }),
  }),
});

builder.queryField('forumCategories', (t) =>
  t.field({
    type: [ForumCategory],
    semanticNonNull: true,
    description: 'The categories of suggestions. Calls `GET /app/categories.xml`.',
    resolve: (_root, _args, { forum }) => forum.categories(),
  }),
);

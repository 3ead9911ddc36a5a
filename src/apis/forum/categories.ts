import { nodeRef } from '../../graph/node-ref.ts';
import { builder } from '../../graph/builder.ts';
import { keyFields } from '../../graph/key-fields.ts';
import { fieldResolver } from '../../graph/lists/lazy-fields.ts';
import { categoryKeys } from './keys.ts';
import type { ForumCategoryRecord } from './wire.ts';

export const ForumCategory = nodeRef<ForumCategoryRecord>(
  'ForumCategory',
  async (ids, { forum }) => {
    const categoriesById = new Map(Array.from(await forum.categories(), (category) => [category.id, category]));
    return ids.map((id) => categoriesById.get(id) ?? null);
  },
  ({ id }) => id, // no path has it
);

builder.objectType(ForumCategory, {
  name: 'ForumCategory',
  description: 'A category of suggestions. Read by id, it comes from the list of `GET /app/categories.xml`.',
  fields: (t) => ({
    upstreamId: t.exposeID('id', { nullable: false, description: 'Id in the forum.' }),
    ...keyFields(t, categoryKeys, fieldResolver<ForumCategoryRecord>()),
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

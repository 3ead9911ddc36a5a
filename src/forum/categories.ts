import { builder } from '../builder.ts';
import { text } from '../http/formats/leaves.ts';
import type { ForumCategoryRecord } from './wire.ts';

export const ForumCategory = builder.loadableNodeRef('ForumCategory', {
  id: { resolve: (category: ForumCategoryRecord) => category.id },
  load: async (ids: string[], { forum }) => {
    const known = new Map((await forum.categories()).map((category) => [category.id, category]));
    return ids.map((id) => known.get(id) ?? null);
  },
  loaderOptions: { cache: false }, // the source remembers what it read, and forgets it when something is written
});

builder.objectType(ForumCategory, {
  name: 'ForumCategory',
  description: 'A category of suggestions. One that is read by its id comes from `GET /app/categories.xml`.',
  fields: (t) => ({
    upstreamId: t.exposeID('id', { nullable: false, description: 'Id in the forum.' }),
    name: t.string({ description: 'Its name, which is its path, too.', resolve: ({ name }) => text(name) }),
  }),
});

builder.queryField('forumCategories', (t) =>
  t.field({
    type: [ForumCategory],
    description: 'The categories of suggestions. Calls `GET /app/categories.xml`.',
    resolve: (_root, _args, { forum }) => forum.categories(),
  }),
);

import { DeletedNode, nodeQuery, nodeRef } from '../../graph/node-ref.ts';
import { type ArgBuilder, builder } from '../../graph/builder.ts';
import { globalId, idArgument, upstreamId } from '../../graph/ids.ts';
import { keyFields } from '../../graph/key-fields.ts';
import { fieldResolver, lazyFieldResolver } from '../../graph/lists/lazy-fields.ts';
import { invalidInput, missingAsNull, NotFoundError, ValidationError } from '../../errors.ts';
import { sentFields } from '../../calls/written-record.ts';
import { identifier, text } from '../../formats/leaves.ts';
import { shownId } from '../../calls/transport/path.ts';
import {
  connectionOf,
  defaultSize,
  defaultSizeDescription,
  pageSize,
  readSelected,
} from '../../graph/lists/connections.ts';
import { ForumCategory } from './categories.ts';
import { commentKeys, pagePostKeys, SINGLE_POST_CALL, singlePostKeys } from './keys.ts';
import { ForumPostPage, forumPosition } from './post-pages.ts';
import type { ForumSource } from './source.ts';
import { type ForumCommentRecord, type ForumPage, type ForumPostRecord, readComments } from './wire.ts';

export const ForumPost = nodeRef<ForumPostRecord>('ForumPost', (ids, { forum }) => forum.postsById(ids));

/** Resolves keys that a listed post lacks: reads the post by id when the field is selected. */
const key = lazyFieldResolver<ForumPostRecord>({ byId: ({ id }, { forum }) => forum.post(id).catch(missingAsNull) });

const keyAsItIs = fieldResolver<ForumPostRecord>();

/** Resolves a key that pages have, too. Only a suggestion that was just created is read for it. */
function pageKey<V>(name: keyof ForumPostRecord, read: (value: unknown) => V) {
  const [lazy, asItIs] = [key(name, read), keyAsItIs(name, read)];
  return (...resolved: Parameters<typeof lazy>) => (sentFields(resolved[0]) ? lazy : asItIs)(...resolved);
}

const ForumComment = builder.objectRef<ForumCommentRecord>('ForumComment').implement({
  description: 'A comment on a suggestion.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Global id. The API has no endpoint for one comment.',
      resolve: ({ id }) => globalId('ForumComment', id),
    }),
    upstreamId: t.exposeID('id', { nullable: false, description: 'Id in the forum.' }),
    ...keyFields(t, commentKeys, fieldResolver<ForumCommentRecord>()),
  }),
});

builder.objectType(ForumPost, {
  name: 'ForumPost',
  description: 'A suggestion of the forum.',
  fields: (t) => ({
    upstreamId: t.id({ nullable: false, description: 'Id in the forum.', resolve: shownId }),
    raw: t.field({
      type: 'JSONObject',
      semanticNonNull: true,
      description: `The suggestion as upstream sends it, without its comments: values by the names of their elements, typed by their attributes. ${SINGLE_POST_CALL}`,
      resolve: key.whole(({ comments: _comments, ...post }) => ({ ...post })),
    }),
    ...keyFields(t, pagePostKeys, pageKey),
    ...keyFields(t, singlePostKeys, key),
    category: t.field({
      type: ForumCategory,
      description: `Its category, from \`GET /app/categories.xml\`. ${SINGLE_POST_CALL}`,
      resolve: key('category-id', identifier), // an id suffices: ForumCategory loads itself
    }),
    comments: t.field({
      type: [ForumComment],
      description: `Comments on it. ${SINGLE_POST_CALL}`,
      resolve: key('comments', readComments),
    }),
  }),
});

const orderArgument = (arg: ArgBuilder) =>
  arg.string({
    description: 'The order, such as `new`; that of upstream by default. Upstream documents no other value.',
  });

const forumPageArguments = (arg: ArgBuilder) => ({
  order: orderArgument(arg),
  page: arg.int({ description: 'Number of the page, from 1; the first page by default.' }),
});

interface PageArguments {
  readonly order?: string | null | undefined;
  readonly page?: number | null | undefined;
}

/**
 * The page as the forum takes it. An argument that is left out, null or empty is not sent.
 *
 * @throws ValidationError for a page below 1
 */
function forumPage({ order, page }: PageArguments): ForumPage {
  if (typeof page === 'number' && page < 1) {
    throw invalidInput('page', 'takes 1 or more');
  }
  return { order: order || undefined, page: page?.toString() };
}

const categoryArgument = (arg: ArgBuilder) =>
  arg.string({ description: 'Name of the category; the first category by default.' });

/** Reads a page of a category, or of the first category when none is named. */
async function categoryPage(forum: ForumSource, category: string | null | undefined, page: ForumPage) {
  return typeof category === 'string' ? forum.posts(category, page) : forum.firstPosts(page);
}

/** For `.catch`: says where the names of categories are, when there is none of this name. The first category is always there. */
function explainCategory(category: string | null | undefined) {
  return (error: unknown): never => {
    // Not documented (A215): the answer to a name that no category has
    if (typeof category !== 'string' || !(error instanceof NotFoundError)) throw error;
    const reason = 'is no category that you can see: `forumCategories` has their names';
    throw new ValidationError(`\`category\` ${reason}.`, { category: [reason] }, error.upstream, { hasPaths: true });
  };
}

const ForumPostConnection = connectionOf('ForumPost', ForumPost, 'Suggestions of a category of the forum.');

builder.objectField(ForumCategory, 'posts', (t) =>
  t.field({
    type: [ForumPost],
    description: 'A page of its suggestions. Calls `GET /:category_name`.',
    args: forumPageArguments(t.arg),
    resolve: ({ name }, args, { forum }) => {
      const category = text(name);
      return category === null ? null : forum.posts(category, forumPage(args));
    },
  }),
);

builder.queryFields((t) => ({
  forumPosts: t.field({
    type: ForumPostConnection,
    description:
      'The suggestions of a category. For a name that no category has it is null, with an error. Calls `GET /:category_name`, or `GET /` when no ' +
      'category is given, once for each page of the forum that has rows of this page. The forum does not say how long its pages ' +
      'are, and has no total: the end of the list, and `hasNextPage` where this page ends with one of the forum, may cost one ' +
      'more call. A cursor is a place in the order: a row before it that is deleted may leave one out.',
    args: {
      category: categoryArgument(t.arg),
      order: orderArgument(t.arg),
      first: t.arg.int({ description: `Number of suggestions, at most MAX_PAGE_SIZE. ${defaultSizeDescription}.` }),
      after: t.arg.string({ description: 'Returns the suggestions after this cursor.' }),
      page: t.arg.int({
        description: 'Number of the page of the forum to start at, from 1. Cannot be combined with `after`.',
      }),
    },
    resolve: async (_root, { category, order, first, after, page: start }, { forum, limits }, info) => {
      const size = pageSize(first ?? defaultSize(limits.pageSize), limits.pageSize);
      forumPage({ page: start }); // before the checks of the cursor, and any call
      const page = new ForumPostPage(forumPosition(after, start), size, (number) =>
        categoryPage(forum, category, forumPage({ order, page: number === 1 ? undefined : number })),
      );
      return readSelected(page, info).catch(explainCategory(category));
    },
  }),
  forumPostList: t.field({
    type: [ForumPost],
    deprecationReason: 'Use forumPosts. Removed after 2027-05-31.',
    description:
      'A page of the suggestions of a category. For a name that no category has it is null, with an error. Calls `GET /:category_name`, or `GET /` when no category is given.',
    args: { category: categoryArgument(t.arg), ...forumPageArguments(t.arg) },
    resolve: (_root, { category, ...page }, { forum }) =>
      categoryPage(forum, category, forumPage(page)).catch(explainCategory(category)),
  }),
}));

nodeQuery(
  'forumPost',
  ForumPost,
  'One suggestion, or null when the caller can see none. Calls `GET /app/posts/:post_id.xml`.',
);

const CreateForumPostInput = builder.inputType('CreateForumPostInput', {
  description: 'A new suggestion.',
  fields: (t) => ({
    title: t.string({ required: true, description: 'Title.' }),
    content: t.string({ required: true, description: 'Body.' }),
  }),
});

builder.mutationFields((t) => ({
  createForumPost: t.field({
    type: ForumPost,
    description: 'Adds a suggestion. Calls `POST /app/posts.xml`.',
    errors: {},
    args: { input: t.arg({ type: CreateForumPostInput, required: true, description: 'The suggestion.' }) },
    resolve: (_root, { input }, { forum }) => forum.createPost(input),
  }),
  deleteForumPost: t.field({
    type: DeletedNode,
    description:
      'Deletes a suggestion. `deletedIds` has the post of the CRM, too, unless FORUM_SHARES_IDS is false. Calls ' +
      '`DELETE /app/posts/:post_id.xml`.',
    errors: {},
    args: { id: idArgument(t.arg) },
    resolve: async (_root, { id }, { forum, forumSharesIds }) => {
      const post = upstreamId(id, 'ForumPost');
      await forum.deletePost(post);
      // Not documented (A181): that a suggestion has one id in the forum and in the CRM
      const others = forumSharesIds ? [globalId('Post', post)] : [];
      return { deletedId: globalId('ForumPost', post), others };
    },
  }),
}));

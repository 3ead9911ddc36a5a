import { z } from 'zod';
import { commentsOn, deletePost, findPost, insertPost, type StoredPost } from '../crm/stored-posts.ts';
import { integerId } from '../body.ts';
import { isBlank } from '../crm/field-types.ts';
import type { SandboxServices } from '../services.ts';
import type { Router } from '../router.ts';
import type { Store } from '../store.ts';
import { callerOf, type ForumCaller } from './authentication.ts';
import { fieldsOf } from './bodies.ts';
import { comment, singlePost } from './post-elements.ts';
import { notFound, xml } from './responses.ts';
import { accountCategories, createCategory } from './stored-categories.ts';
import { list } from './xml.ts';

/** Not documented: that a title is required, and a content is not. */
const newPost = z.object({
  title: z.string("can't be blank").refine((title) => !isBlank(title), "can't be blank"),
  content: z.string('must be a text').nullish(),
});

/**
 * The endpoints of single suggestions. They are posts of the CRM: those whose `category_id` is one of the forum's
 * categories, comments aside. Not documented: `forum_id`, which tells an account's forums apart. Each has one.
 */
export function posts(router: Router, services: SandboxServices): void {
  const { store, now } = services;
  router
    .on('GET /app/posts/:post_id.xml', (request) => {
      const caller = callerOf(services, request);
      const post = visible(store, caller, integerId(request.params.post_id));
      const comments = list('comments', commentsOn(store, caller, post).map(comment));
      return xml({ name: 'hash', content: [comments, singlePost(post)] });
    })
    .on('POST /app/posts.xml', (request) => {
      const caller = callerOf(services, request);
      const { title, content = null } = fieldsOf('post', newPost, request);
      const fields = {
        title,
        content,
        kind: 'suggestion',
        task_kind: 'idea', // Not documented: what it is among the tasks of the CRM
        category_id: firstCategory(store, caller),
        ip: request.address,
        agent: request.headers['user-agent'] ?? null,
        referrer: request.headers['referer'] ?? null,
      };
      return xml(singlePost(visible(store, caller, insertPost(store, caller, fields, now()))), 201);
    })
    .on('DELETE /app/posts/:post_id.xml', (request) => {
      const caller = callerOf(services, request);
      deletePost(store, visible(store, caller, integerId(request.params.post_id))); // Not documented: any user may
      return { status: 200, headers: { 'Content-Type': 'application/xml; charset=utf-8' }, body: ' ' }; // Not documented
    });
}

/** Not documented: 404 for what is another account's, a comment, or a task outside the forum. */
function visible(store: Store, caller: ForumCaller, id: number | null): StoredPost {
  const post = findPost(store, caller, id);
  const categories = accountCategories(store, caller).map((category) => category.id);
  const category = z.int().safeParse(post?.fields['category_id']).data;
  if (!post || post.task_kind === 'comment' || category === undefined || !categories.includes(category)) {
    throw notFound();
  }
  return post;
}

/** Not documented: what a new suggestion is filed under. In a forum without a category the first suggestion makes one. */
function firstCategory(store: Store, caller: ForumCaller): number {
  const [first] = accountCategories(store, caller);
  return first?.id ?? createCategory(store, caller.accountId, 'Main');
}

import { z } from 'zod';
import { deletePost, findPost, insertPost, listComments, type StoredPost } from '../crm/stored-posts.ts';
import { integerId } from '../body.ts';
import { isBlank } from '../crm/field-types.ts';
import type { SandboxServices } from '../services.ts';
import type { Router } from '../router.ts';
import type { Store } from '../store.ts';
import { authenticate, type ForumCaller } from './authentication.ts';
import { validateFields } from './bodies.ts';
import { commentElement, postElement } from './post-elements.ts';
import { notFound, xml } from './responses.ts';
import { createCategory, listCategories } from './stored-categories.ts';
import { listElement } from './xml.ts';

/** Not documented (A187): that a title is required, and a content is not. */
const newPostInput = z.object({
  title: z.string("can't be blank").refine((title) => !isBlank(title), "can't be blank"),
  content: z.string('must be a text').nullish(),
});

/**
 * The endpoints of single suggestions. They are posts of the CRM: those whose `category_id` is one of the forum's
 * categories, comments aside. Not documented (A184): `forum_id`, which tells an account's forums apart. Each has one.
 */
export function posts(router: Router, services: SandboxServices): void {
  const { store, now } = services;
  router
    .on('GET /app/posts/:post_id.xml', (request) => {
      const caller = authenticate(services, request);
      const post = visible(store, caller, integerId(request.params.post_id));
      const comments = listElement('comments', listComments(store, caller, post).map(commentElement));
      return xml({ name: 'hash', content: [comments, postElement(post)] });
    })
    .on('POST /app/posts.xml', (request) => {
      const caller = authenticate(services, request);
      const { title, content = null } = validateFields('post', newPostInput, request);
      const fields = {
        title,
        content,
        kind: 'suggestion',
        task_kind: 'idea', // Not documented (A186): what it is among the tasks of the CRM
        category_id: firstCategoryId(store, caller),
        ip: request.address,
        agent: request.headers['user-agent'] ?? null,
        referrer: request.headers['referer'] ?? null,
      };
      return xml(postElement(visible(store, caller, insertPost(store, caller, fields, now()))), 201);
    })
    .on('DELETE /app/posts/:post_id.xml', (request) => {
      const caller = authenticate(services, request);
      deletePost(store, visible(store, caller, integerId(request.params.post_id))); // Not documented (A193): any user may
      return { status: 200, headers: { 'Content-Type': 'application/xml; charset=utf-8' }, body: ' ' }; // Not documented (A192)
    });
}

/** Not documented (A183): 404 for what is another account's, a comment, or a task outside the forum. */
function visible(store: Store, caller: ForumCaller, id: number | null): StoredPost {
  const post = findPost(store, caller, id);
  const categories = listCategories(store, caller).map((category) => category.id);
  const category = z.int().safeParse(post?.fields['category_id']).data;
  if (!post || post.task_kind === 'comment' || category === undefined || !categories.includes(category)) {
    throw notFound();
  }
  return post;
}

/**
 * Not documented (A185): what a new suggestion is filed under. In a forum without a category the first suggestion makes
 * one.
 */
function firstCategoryId(store: Store, caller: ForumCaller): number {
  const [first] = listCategories(store, caller);
  return first?.id ?? createCategory(store, caller.accountId, 'Main');
}

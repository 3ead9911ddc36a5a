import type { Caller } from '../account/users.ts';
import { integerId, unwrap, validate } from '../body.ts';
import type { JsonObject } from '../json-object.ts';
import type { SandboxServices } from '../services.ts';
import { json, notFound } from '../responses.ts';
import type { Request, Router } from '../router.ts';
import type { Store } from '../store.ts';
import { authenticateByBody, authenticateByQuery } from './authentication.ts';
import { isBlank } from './field-types.ts';
import { findLinkErrors } from './links.ts';
import { postDefaults, postFields } from './post-fields.ts';
import { findPost, insertPost, listPosts, type StoredPost } from './stored-posts.ts';

/** Adds the routes of tasks and their comments. */
export function posts(router: Router, services: SandboxServices): void {
  const { store, now } = services;
  router
    .on('POST /app/posts.json', (request) => {
      const caller = authenticateByBody(services, request);
      const fields = validateFields(store, caller, unwrap('post', request.body));
      const id = insertPost(store, caller, { ...fields, ...originFields(request) }, now());
      return json(shown(visible(store, caller, id)), 201); // Not documented (A125): the status
    })
    // Not documented (A129, A152): that comments are tasks too, and the order.
    .on('GET /app.json', (request) => json(listPosts(store, authenticateByQuery(services, request)).map(shown)))
    .on('GET /app/posts/:id.json', (request) =>
      json(shown(visible(store, authenticateByQuery(services, request), integerId(request.params.id)))),
    );
}

/** Not documented (A124): another account's post is 404. */
function visible(store: Store, caller: Caller, id: number | null): StoredPost {
  const post = findPost(store, caller, id);
  if (!post) throw notFound();
  return post;
}

/** Not documented (A133, A146): what is wrong with a post. It is 422, with everything that is. */
function validateFields(store: Store, caller: Caller, given: JsonObject): JsonObject {
  const required = given['task_kind'] === 'comment' ? ['content', 'post_id'] : ['title'];
  return validate(postFields, given, {
    ...findLinkErrors(store, caller, given, { client_id: 'clients', post_id: 'posts', duplicate_from_id: 'posts' }),
    ...Object.fromEntries(
      required.filter((field) => isBlank(given[field])).map((field) => [field, ["can't be blank"]]),
    ),
  });
}

/** The fields of a post that come from its HTTP request. */
function originFields({ address, headers }: Pick<Request, 'address' | 'headers'>) {
  return { ip: address, agent: headers['user-agent'] ?? null, referrer: headers['referer'] ?? null };
}

/** Not documented (A128): the answer. It is the whole record. */
function shown({ id, fields, ...columns }: StoredPost) {
  return { id, ...postDefaults, ...fields, ...columns };
}

import { listPostsInCategory } from '../crm/stored-posts.ts';
import type { SandboxServices } from '../services.ts';
import type { HttpResponse } from '../responses.ts';
import type { Request, Router } from '../router.ts';
import type { Store } from '../store.ts';
import { authenticate, type ForumCaller } from './authentication.ts';
import { readParameters } from './bodies.ts';
import { postSummaryElement } from './post-elements.ts';
import { notFound, xmlList } from './responses.ts';
import { type Category, findCategoryByName, listCategories } from './stored-categories.ts';
import { integerElement, textElement } from './xml.ts';

/** Not documented (A189): how many suggestions make a page. */
const pageSize = 20;

/** Adds the routes of the categories and of the suggestions in them. */
export function categories(router: Router, services: SandboxServices): void {
  const { store } = services;
  router
    .on('GET /', (request) => {
      const caller = authenticate(services, request);
      const [first] = listCategories(store, caller);
      return first ? listSuggestions(store, caller, first, request) : xmlList('posts', []);
    })
    .on('GET /:category_name', (request) => {
      const caller = authenticate(services, request);
      const category = findCategoryByName(store, caller, request.params.category_name);
      if (!category) throw notFound(); // Not documented (A183): so is another account's
      return listSuggestions(store, caller, category, request);
    })
    .on('GET /app/categories.xml', (request) => {
      const elements = listCategories(store, authenticate(services, request)).map(({ id, name }) => ({
        name: 'category',
        content: [integerElement('id', id), textElement('name', name)],
      }));
      return xmlList('categories', elements);
    });
}

/**
 * Not documented (A188, A189): any `order` but `new`. It is by votes, then newest first. Beyond the last page there is
 * nothing.
 */
function listSuggestions(store: Store, caller: ForumCaller, { id }: Category, request: Request): HttpResponse {
  const { order, page } = readParameters(request);
  const posts = listPostsInCategory(store, caller, id, {
    order: order === 'new' ? 'newest' : 'votes',
    offset: (parsePageNumber(page) - 1) * pageSize,
    limit: pageSize,
  });
  return xmlList('posts', posts.map(postSummaryElement));
}

/** From 1. Not documented (A189): what is no positive number counts as 1. */
function parsePageNumber(page: unknown): number {
  const number = typeof page === 'string' && /^\s*\d+\s*$/.test(page) ? Number(page) : 1;
  return Math.min(Math.max(number, 1), 1e9); // within what the database can count
}

import { z } from 'zod';
import type { StoredPost } from '../crm/stored-posts.ts';
import { datetimeElement, type Element, integerElement, textElement } from './xml.ts';

const text = z.string().nullable().default(null);
const integer = z.int().nullable().default(null);

/** The fields of a post that the forum shows. */
const shownFields = z.object({
  agent: text,
  content: text,
  title: text,
  kind: text,
  category_id: integer,
  responsible_id: integer,
  votes_cache: integer,
});

/** The element of a suggestion in a list. */
export function postSummaryElement(post: StoredPost): Element {
  return { name: 'post', content: sortByName(summaryElements(post, shownFields.parse(post.fields))) };
}

/** A suggestion on its own. Not documented (A186): any `status` but `new`. */
export function postElement(post: StoredPost): Element {
  const fields = shownFields.parse(post.fields);
  return {
    name: 'post',
    content: sortByName([
      ...summaryElements(post, fields),
      integerElement('category-id', fields.category_id),
      textElement('kind', fields.kind),
      integerElement('responsible-id', fields.responsible_id),
      textElement('status', 'new'),
    ]),
  };
}

export function commentElement({ id, fields, created_at, updated_at }: StoredPost): Element {
  const { agent, content, kind } = shownFields.parse(fields);
  return {
    name: 'comment',
    content: [
      textElement('agent', agent),
      textElement('comment', content),
      datetimeElement('created-at', created_at),
      integerElement('id', id),
      textElement('kind', kind),
      datetimeElement('updated-at', updated_at),
    ],
  };
}

function summaryElements(post: StoredPost, fields: z.infer<typeof shownFields>): Element[] {
  return [
    textElement('agent', fields.agent),
    integerElement('comments-cache', post.comments_cache),
    textElement('content', fields.content),
    datetimeElement('created-at', post.created_at),
    integerElement('id', post.id),
    textElement('title', fields.title),
    datetimeElement('updated-at', post.updated_at),
    integerElement('votes-cache', fields.votes_cache ?? 0),
  ];
}

/** Sorts the elements of a record by name, as the API orders them. */
function sortByName(elements: readonly Element[]): Element[] {
  return elements.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

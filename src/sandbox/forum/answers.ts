import { type AnswerMode, answerTransform, type Content, type ResponseTransform } from '../answers.ts';
import type { HttpResponse } from '../responses.ts';
import { rootOf, xml } from './responses.ts';
import { type Element, textElement } from './xml.ts';

const records: readonly string[] = ['user', 'post', 'category', 'comment'];

/**
 * Creates the transform of the forum's responses for a mode. Not documented (A200): the forms of an answer that is no
 * record. They are those of a hash; in place of the JSON text "ok" the body is empty. Records of XML have their name around
 * them in each mode, so `wrapped` is `full`.
 */
export function forumAnswers(mode: AnswerMode): ResponseTransform {
  const status = xml(hash(textElement('status', 'ok')));
  return answerTransform(mode === 'wrapped' ? 'full' : mode, {
    isWrite: ({ method }) => method !== 'GET',
    lean: (_route, response) => {
      const root = rootOf(response);
      return root ? xml(leanDocument(root)) : response;
    },
    ok: { headers: {}, body: '' },
    status,
    wrapped: (_route, response) => {
      const root = rootOf(response);
      return root ? xml(hash(root)) : status;
    },
    refused,
  });
}

function hash(...content: readonly Element[]): Element {
  return { name: 'hash', content };
}

/** A document in the mode `lean`: a nil element is there or missing in turn, and space surrounds typed values. */
function leanDocument(root: Element): Element {
  let nilElements = 0;
  const lean = (element: Element): Element[] => {
    const { name, type, content } = element;
    if (content === null) return nilElements++ % 2 === 0 ? [element] : [];
    if (typeof content === 'string') return [type === undefined ? element : { ...element, content: `\n  ${content} ` }];
    const members = content.flatMap(lean);
    if (type === 'array') return [{ ...element, content: members }];
    const unknown = records.includes(name) ? [textElement('x-unknown', 'new')] : [];
    return [{ ...element, content: [...unknown, ...members.toReversed()] }];
  };
  return lean(root)[0] ?? root;
}

/** A refusal for the status 200. Every second list of errors stays as it is. */
function refused(response: HttpResponse, count: number): Content {
  const root = rootOf(response);
  if (root && count % 2 === 1) return response;
  const message = root ? textsOf(root).join(', ') : response.body;
  return xml(hash(textElement('status', 'error'), textElement('message', message)));
}

function textsOf({ content }: Element): string[] {
  if (content === null) return [];
  return typeof content === 'string' ? [content] : content.flatMap(textsOf);
}

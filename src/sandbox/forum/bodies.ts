import type { z } from 'zod';
import type { BodyFormat } from '../body.ts';
import { isJsonObject } from '../json-object.ts';
import type { Request } from '../router.ts';
import { badRequest, invalid, payloadTooLarge, unsupportedMediaType } from './responses.ts';
import { type ParsedElement, parseXml, XmlError } from './xml.ts';

/** Fields by name: a text, null for a nil element, or an empty list for any other element. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * XML of at most 1 MB, read as its root with the fields in it: `{post: {title: 'T'}}`. All fields are texts, whatever
 * their `type` says.
 */
export const xmlBodyFormat: BodyFormat = {
  maxBytes: 1024 * 1024,
  payloadTooLarge,
  parse: (source, { 'content-type': type = '' }) => {
    if (source.length === 0) return undefined;
    if (!/^(application|text)\/xml *(;|$)/i.test(type)) throw unsupportedMediaType();
    try {
      const root = parseXml(new TextDecoder('utf-8', { fatal: true }).decode(source));
      return { [root.name]: textFieldsByName(root) };
    } catch (error) {
      throw badRequest(error instanceof XmlError ? error.message : 'The body must be UTF-8.');
    }
  },
};

/** Not documented (A174): an element that is given twice, or that holds others, is no text. */
function textFieldsByName({ elements }: ParsedElement): Fields {
  const occurrences = new Map<string, number>();
  for (const { name } of elements) occurrences.set(name, (occurrences.get(name) ?? 0) + 1);
  return Object.fromEntries(
    elements.map(({ name, text, elements }) => {
      const isText = elements.length === 0 && occurrences.get(name) === 1;
      return [name, isText ? text : []];
    }),
  );
}

/**
 * Validates the fields of a body with this root element.
 *
 * @throws HttpError 400 for another root or no body, 422 for invalid fields
 */
export function validateFields<Schema extends z.ZodType>(
  root: string,
  schema: Schema,
  { body }: Pick<Request, 'body'>,
): z.infer<Schema> {
  const fields = isJsonObject(body) && Object.hasOwn(body, root) ? body[root] : undefined;
  if (!isJsonObject(fields)) throw badRequest(`The body must be <${root}>…</${root}>.`);
  const { success, data, error } = schema.safeParse(fields);
  if (success) return data;
  throw invalid(error.issues.map(({ path, message }) => `${capitalize(String(path[0]))} ${message}`));
}

/**
 * Parameters of a read, from the query or an XML body. Not documented (A175): the root of that, and that the query
 * wins.
 */
export function readParameters({ body, query }: Pick<Request, 'body' | 'query'>): Fields {
  const [fields] = isJsonObject(body) ? Object.values(body) : [];
  return { ...(isJsonObject(fields) && fields), ...query };
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

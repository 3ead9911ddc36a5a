import type { DocumentNode, GraphQLSchema } from 'graphql';
import { pause } from '../../formats/slices.ts';
import { ManifestError, readManifest, type TrustedDocument, TrustedFiles } from './manifest.ts';

/** Parses and validates documents as those of requests. */
export interface Pipeline {
  readonly schema: GraphQLSchema;
  readonly parse: (text: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly unknown[];
}

/**
 * Reads the documents of manifests, and checks that each could be executed: that it is GraphQL, fits the schema, and keeps the
 * limits. What is parsed is kept by the cache of documents, as far as DOCUMENT_CACHE_BYTES allows. Requests are served in between.
 *
 * @throws ManifestError for a manifest that cannot be used, and with the first document that could not be executed, its first
 *   error, and the number of the others
 */
export async function readDocuments(files: readonly string[], pipeline: Pipeline): Promise<TrustedFiles> {
  const documents = files.flatMap(readManifest);
  const trusted = new TrustedFiles(documents);
  const wrong: { document: TrustedDocument; error: string }[] = [];
  for (const document of documents) {
    const error = firstError(document, pipeline);
    if (error !== undefined) wrong.push({ document, error });
    await pause();
  }
  refuseFirst(wrong);
  return trusted;
}

function refuseFirst(wrong: readonly { document: TrustedDocument; error: string }[]): void {
  const [first] = wrong;
  if (!first) return;
  const { id, file, text } = first.document;
  const name = /\b(?:query|mutation|subscription)\s+([A-Za-z_]\w*)/.exec(text)?.[1];
  const entry = `${JSON.stringify(id)}${name === undefined ? '' : ` (${name.slice(0, 100)})`}`;
  const others = wrong.length === 1 ? '' : ` (and ${wrong.length - 1} more documents)`;
  throw new ManifestError(
    `The manifest ${JSON.stringify(file)} cannot be used: the document of entry ${entry} is refused: ${first.error}${others}`,
  );
}

function firstError({ text }: TrustedDocument, { parse, validate, schema }: Pipeline): string | undefined {
  try {
    const [error] = validate(schema, parse(text));
    return error === undefined ? undefined : inOneLine(error);
  } catch (error) {
    return inOneLine(error);
  }
}

function inOneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
}

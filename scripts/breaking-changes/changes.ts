// What a schema breaks, and whether that was written down. Knows no git and no files.
import { buildSchema } from 'graphql';
import { schemaChanges as compareSchemas } from '../../src/typed-flex/changes/changes.ts';

/** One state of the project: its schema, and the texts in which a breaking change has to stand. */
export interface Texts {
  readonly schema: string;
  readonly decisions: string;
  readonly changelog: string;
}

export interface BreakingChange {
  /** `Query.clients.first`; the root types have no path but `schema`. */
  readonly path: string;
  readonly message: string;
  /** Where no new sentence names the path. */
  readonly missing: readonly string[];
}

export interface SchemaChanges {
  readonly breaking: readonly BreakingChange[];
  /** What a client may trip over although its operations stay valid, in words. */
  readonly dangerous: readonly string[];
}

export async function schemaChanges(base: Texts, now: Texts): Promise<SchemaChanges> {
  const changes = await compareSchemas(buildSchema(base.schema), buildSchema(now.schema));
  const written = {
    'docs/decisions': newSentences(base.decisions, now.decisions),
    'CHANGELOG.md': newSentences(base.changelog, now.changelog),
  };
  return {
    breaking: changes
      .filter(({ criticality }) => criticality === 'BREAKING')
      .map(({ path, message }) => ({
        path,
        message,
        missing: Object.entries(written)
          .filter(([, sentences]) => !sentences.some((sentence) => sentence.includes(`\`${path}\``)))
          .map(([place]) => place),
      })),
    dangerous: changes.filter(({ criticality }) => criticality === 'DANGEROUS').map(({ message }) => message),
  };
}

/** An old text that names a field permits nothing; nor does wrapping its lines anew, or moving it. */
function newSentences(before: string, now: string): string[] {
  const old = new Set(sentences(before));
  return sentences(now).filter((sentence) => !old.has(sentence));
}

function sentences(markdown: string): string[] {
  const blocks = markdown.split(/\n\s*\n|^[ \t]*[-*] /m).map((block) => block.replace(/\s+/g, ' ').trim());
  return blocks.flatMap((block) => block.split(/(?<=[.:;!?]) /));
}

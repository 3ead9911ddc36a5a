import { readFileSync, statSync } from 'node:fs';
import { isObject, type JsonObject } from '../../formats/decode.ts';
import { sha256, statedHash } from './requested-id.ts';

/** A manifest that cannot be used. The message is one line. */
export class ManifestError extends Error {}

/** A document of a manifest. */
export interface TrustedDocument {
  readonly id: string;
  readonly text: string;
  /** The manifest that has it. */
  readonly file: string;
}

const MAX_MANIFEST_BYTES = 32 * 1024 ** 2;

/** Ids are shown in log lines, so they are printable ASCII of a bounded length. */
const ID = /^[!-~]{1,256}$/;

const APOLLO_FORMAT = 'apollo-persisted-query-manifest';

/**
 * Reads a manifest: a JSON object of documents by their ids, as GraphQL Code Generator and Relay write it, or Apollo's
 * persisted query manifest.
 *
 * @throws ManifestError when it cannot be read or is neither, with the first entry that is wrong
 */
export function readManifest(file: string): TrustedDocument[] {
  const refuse = (problem: string): never => {
    throw new ManifestError(`The manifest ${JSON.stringify(file)} cannot be used: ${problem}.`);
  };
  const entries = entriesOf(parseJson(readText(file, refuse), refuse), refuse);
  if (entries.length === 0) refuse('it has no documents');
  return entries.map(([id, text], index) => {
    const entry = typeof id === 'string' ? JSON.stringify(id.slice(0, 256)) : `${index + 1}`;
    if (typeof id !== 'string' || !ID.test(id))
      return refuse(`the id of entry ${index + 1} takes 1 to 256 printable characters of ASCII, without blanks`);
    if (typeof text !== 'string') return refuse(`the document of entry ${entry} is not a text`);
    if (id.startsWith('sha256:') && statedHash(id) !== sha256(text))
      return refuse(`the id of entry ${entry} is not the SHA-256 of its document`);
    return { id, text, file };
  });
}

type Refuse = (problem: string) => never;

function entriesOf(manifest: unknown, refuse: Refuse): (readonly [id: unknown, text: unknown])[] {
  if (!isObject(manifest)) return refuse('it takes a JSON object of documents by their ids, or the format of Apollo');
  if (typeof manifest['format'] !== 'string' && !Array.isArray(manifest['operations'])) return Object.entries(manifest);
  const { format, version, operations } = manifest;
  if (format !== APOLLO_FORMAT || version !== 1) return refuse(`its format takes ${APOLLO_FORMAT}, its version 1`);
  if (!Array.isArray(operations)) return refuse('its operations are not a list');
  return operations.map((operation: unknown) => apolloEntry(isObject(operation) ? operation : {}));
}

function apolloEntry({ id, body }: JsonObject): readonly [id: unknown, text: unknown] {
  return [id, body];
}

function parseJson(text: string, refuse: Refuse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('it is not JSON'); // the message of the error may hold a part of the file
  }
}

function readText(file: string, refuse: Refuse): string {
  try {
    if (statSync(file).size > MAX_MANIFEST_BYTES) return refuse('it is larger than 32 MiB');
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof ManifestError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return refuse(REASONS.get(code) ?? `it cannot be read (${code})`);
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'it does not exist'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'it may not be read'],
  ['ERR_ENCODING_INVALID_ENCODED_DATA', 'it is not UTF-8'],
]);

/** The trusted documents of manifests, in the memory of the process. */
export class TrustedFiles {
  /** By their ids, and by `sha256:` with the hash of the text. */
  readonly #texts = new Map<string, string>();
  /** The ids by the texts. */
  readonly #ids = new Map<string, string>();

  /** The number of entries of the manifests. */
  readonly count: number;

  /** @throws ManifestError for an id with two documents */
  constructor(documents: readonly TrustedDocument[]) {
    this.count = documents.length;
    const files = new Map<string, string>();
    for (const { id, text, file } of documents) {
      const known = this.#texts.get(id);
      if (known !== undefined && known !== text) {
        const places = [...new Set([files.get(id), file])].map((place) => JSON.stringify(place)).join(' and ');
        throw new ManifestError(`The id ${JSON.stringify(id)} has two documents, in ${places}.`);
      }
      files.set(id, file);
      this.#texts.set(id, text);
      if (!this.#ids.has(text)) this.#ids.set(text, id);
    }
    for (const text of this.#ids.keys()) this.#texts.set(`sha256:${sha256(text)}`, text);
  }

  find(id: string): string | undefined {
    return this.#texts.get(id) ?? this.#texts.get(`sha256:${statedHash(id) ?? id}`);
  }

  idOf(text: string): string | undefined {
    return this.#ids.get(text);
  }
}

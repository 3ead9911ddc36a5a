import { ManifestError, type TrustedDocument } from './manifest.ts';
import type { TrustedSource } from './persisted-documents.ts';
import { sha256 } from './requested-id.ts';

/** The trusted documents of manifests, in the memory of the process. */
export class TrustedFiles implements TrustedSource {
  /** By their ids, and by `sha256:` with the hash of the text. */
  readonly #texts = new Map<string, string>();
  /** The ids by the texts. */
  readonly #ids = new Map<string, string>();

  /** @throws ManifestError for an id with two documents */
  constructor(documents: readonly TrustedDocument[]) {
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

  atHand(id: string): string | undefined {
    return this.#texts.get(id) ?? this.#texts.get(`sha256:${id}`);
  }

  find(id: string): string | undefined {
    return this.atHand(id);
  }

  idOf(text: string): string | undefined {
    return this.#ids.get(text);
  }
}

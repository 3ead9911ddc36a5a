import { choice, documentSources, MiB, wholeNumber } from './setting.ts';

/** The settings of documents that requests name by an id. */
export const documentSettings = {
  TRUSTED_DOCUMENTS: documentSources(
    'Manifests of trusted documents: JSON files, separated by commas, or redis. See docs/trusted-documents.md.',
  ),
  TRUSTED_DOCUMENTS_ONLY: choice(
    ['false', 'true'],
    'false',
    'Whether only trusted documents are executed. GraphiQL and the pages beside it are off then.',
  ),
  APQ_CACHE_BYTES: wholeNumber(0, 0, 1024 * MiB, 'Memory for automatic persisted queries, in bytes; 0 accepts none.'),
};

import { choice, files, MiB, text, wholeNumber } from './setting.ts';

/** The settings of GraphQL: the schema that is served and printed, the bounds of operations, and documents that requests name by an id. */
export const operationSettings = {
  FLEX_SCHEMA: text(
    '',
    'Snapshot of definitions of flexible databases, which become types of the schema: docs/typed-flex.md.',
  ),
  PUBLIC: choice(
    ['false', 'true'],
    'false',
    'Whether the public methods of FLEX_SCHEMA are served alone, to anonymous callers: no credential is read.',
  ),
  SUBGRAPH: choice(['false', 'true'], 'false', 'Whether the schema is served as a subgraph of Apollo Federation 2.'),
  SUBGRAPH_TAGS: choice(['false', 'true'], 'false', 'Whether the SDL of a subgraph has `@tag`, for contracts.'),
  MAX_REQUEST_BYTES: wholeNumber(2 * MiB, 1, 1024 * MiB, 'Maximum size of a GraphQL request, in bytes.'),
  MAX_REQUEST_VALUES: wholeNumber(
    100_000,
    1,
    10_000_000,
    'Maximum number of values in the JSON of a GraphQL request: all items of lists and fields of objects.',
  ),
  MAX_RESPONSE_BYTES: wholeNumber(
    32 * MiB,
    1_024,
    256 * MiB,
    'Maximum size of the response to an operation, all its parts together, in bytes.',
  ),
  MAX_TOKENS: wholeNumber(2_000, 1, 1_000_000, 'Maximum number of tokens in a GraphQL document.'),
  DOCUMENT_CACHE_BYTES: wholeNumber(
    16 * MiB,
    0,
    1024 * MiB,
    'Memory for the cache of parsed GraphQL documents, in bytes.',
  ),
  MAX_DEPTH: wholeNumber(12, 1, 1_000, 'Maximum depth of fields in an operation.'),
  MAX_ALIASES: wholeNumber(
    50,
    0,
    100_000,
    'Maximum number of aliases in an operation. Those of a fragment count at each spread.',
  ),
  MAX_DIRECTIVES: wholeNumber(
    50,
    0,
    100_000,
    'Maximum number of directives in an operation. Those of a fragment count at each spread.',
  ),
  MAX_COST: wholeNumber(
    200_000,
    1,
    1_000_000_000,
    'Maximum cost of an operation: about how many objects its response can have, see queries.md.',
  ),
  MAX_NODES: wholeNumber(
    100,
    1,
    10_000,
    'Maximum number of ids of one `nodes` field, and of keys of one `dashboardWidgets` field.',
  ),
  MAX_BULK: wholeNumber(100, 1, 10_000, 'Maximum number of items of one bulk mutation.'),
  BULK_TIMEOUT_MS: wholeNumber(
    30_000,
    1,
    600_000,
    'Time for one bulk mutation in milliseconds. Items that were not begun by then are not attempted.',
  ),
  MAX_ENTITIES: wholeNumber(
    2_000,
    1,
    100_000,
    'Maximum number of records to which the `_entities` fields of one operation refer, see SUBGRAPH.',
  ),
  MAX_PAGE_SIZE: wholeNumber(1_000, 1, 100_000, 'Maximum number of rows of one page of a connection.'),
  TRUSTED_DOCUMENTS: files(
    'Manifests of trusted documents: JSON files, separated by commas, read again on SIGHUP. See docs/trusted-documents.md.',
  ),
  TRUSTED_DOCUMENTS_ONLY: choice(
    ['false', 'true'],
    'false',
    'Whether only trusted documents are executed. GraphiQL and the pages beside it are off then.',
  ),
  APQ_CACHE_BYTES: wholeNumber(0, 0, 1024 * MiB, 'Memory for automatic persisted queries, in bytes; 0 accepts none.'),
};

import { choice, text } from './setting.ts';

/** The settings of the schema that is served and printed. */
export const schemaSettings = {
  FLEX_SCHEMA: text(
    '',
    'Snapshot of definitions of flexible databases, which become types of the schema: docs/typed-flex.md.',
  ),
  PUBLIC: choice(
    ['false', 'true'],
    'false',
    'Whether the public methods of FLEX_SCHEMA are served alone, to anonymous callers: no credential is read.',
  ),
};

import { text } from './setting.ts';

/** The settings of the schema that is served and printed. */
export const schemaSettings = {
  FLEX_SCHEMA: text(
    '',
    'Snapshot of definitions of flexible databases, which become types of the schema: docs/typed-flex.md.',
  ),
};

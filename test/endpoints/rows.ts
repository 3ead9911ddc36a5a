/** The ids that upstream makes up, of what exists before a row is tried. */
export interface Ids {
  readonly db: string;
  readonly record: string;
  readonly forumPost: string;
}

/**
 * A row of the documents' endpoint tables: as it is written there, its method of the source, a field that reaches it.
 * In the operation, DB, RECORD and FORUM_POST stand for their ids.
 */
export type Row<Source> = readonly [
  endpoint: string,
  call: (source: Source, ids: Ids) => Promise<unknown>,
  operation: string,
];

/** Methods of a source without an endpoint of their own: they read several records, or ask for the state of the credential, by the calls of the others. */
export const NO_ENDPOINT = /ById$|^listed|^checkCredential$|^listEnds$/;

// A record, so that no method of a source can go without its row.
export type Rows<Source> = Readonly<
  Record<Exclude<keyof Source, `${string}ById` | `listed${string}` | 'checkCredential' | 'listEnds'>, Row<Source>>
>;

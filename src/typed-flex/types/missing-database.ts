import { NotFoundError } from '../../http/errors.ts';
import { quoted } from '../snapshot/entry-path.ts';
import type { TypedDatabase } from '../model/model.ts';

/** For `.catch` of a call that names a database and no record of it: says what upstream's 404 means. */
export function explainMissing({ key }: TypedDatabase) {
  return (error: unknown): never => {
    if (!(error instanceof NotFoundError)) throw error;
    const message = `The flex API has no database ${quoted(key)} for this caller: it is gone, or of another account.`;
    throw new NotFoundError(message, error.upstream);
  };
}

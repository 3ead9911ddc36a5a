import { type ClientInput, CreateClientDocument } from '../generated/graphql.ts';
import type { Execute } from './client.ts';
import { outcomeOf } from './outcomes.ts';

/** Creates a client, and says what came of it. */
export async function createClient(execute: Execute, input: ClientInput): Promise<string> {
  const outcome = await outcomeOf(execute(CreateClientDocument, { input }), ({ createClient }) => createClient);
  switch (outcome.outcome) {
    case 'APPLIED':
      return `${outcome.record?.name ?? 'The client'} was created.`; // the record is null when it could not be shown
    case 'REFUSED':
      return `Refused: ${outcome.message}`; // nothing was changed; `refusal` has the fields to mark, or is null when it was an error
    case 'UNKNOWN':
      return `Unknown: ${outcome.message}`; // look for the record before you send it again
  }
}

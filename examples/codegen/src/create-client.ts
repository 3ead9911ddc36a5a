import { type ClientInput, CreateClientDocument } from '../generated/graphql.ts';
import { outcomeOf } from 'trivium-kits/outcome';
import type { Execute } from './client.ts';
import { unanswered } from './outcomes.ts';

/** Creates a client, and says what came of it. */
export async function createClient(execute: Execute, input: ClientInput): Promise<string> {
  const write = outcomeOf(await execute(CreateClientDocument, { input }).catch(unanswered));
  switch (write.outcome) {
    case 'APPLIED':
      return `${write.record?.name ?? 'The client'} was created.`; // the record is null when it could not be shown
    case 'REFUSED':
      return `Refused: ${write.message}`; // nothing was changed; `fields` has the fields to mark
    case 'UNKNOWN':
      return `Unknown: ${write.message}`; // look for the record before you send it again
  }
}

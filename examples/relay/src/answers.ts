import { meros } from 'meros/browser';
import type { GraphQLSingularResponse } from 'relay-runtime';
import type { Session } from './session.ts';

/** A part of an answer. The first has `data`; later ones have the deferred fragments in `incremental`. */
type Part = GraphQLSingularResponse & {
  readonly incremental?: readonly GraphQLSingularResponse[];
  readonly hasNext?: boolean;
};

/**
 * Sends an operation with the token of the session, and again with the next one when it was refused.
 *
 * @yields the answer as Relay takes it: whole, or the first part and then each deferred fragment
 */
export async function* answers(
  endpoint: string,
  session: Session,
  body: string,
): AsyncGenerator<GraphQLSingularResponse> {
  const { token } = session;
  const accept = 'multipart/mixed; deferSpec=20220824, application/json';
  const headers = { accept, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for await (const part of partsOf(await fetch(endpoint, { method: 'POST', headers, body }))) {
    if (errorsOf(part).some(isRefused)) {
      await session.renewed(token);
      yield* answers(endpoint, session, body);
      return;
    }
    const extensions = { is_final: part.hasNext !== true };
    for (const payload of part.incremental ?? [part]) yield { ...payload, extensions };
  }
}

async function* partsOf(response: Response): AsyncGenerator<Part> {
  const parts = await meros<Part>(response);
  if (parts instanceof Response) yield (await parts.json()) as Part;
  else for await (const part of parts) if (part.json) yield part.body;
}

export interface Failure {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly upstream?: object; readonly outcome?: string };
}

export function errorsOf(answer: GraphQLSingularResponse): readonly Failure[] {
  return 'errors' in answer ? (answer.errors ?? []) : [];
}

/** Whether an API refused the credential, and nothing was written. Without `upstream`, a header is missing. */
const isRefused = ({ extensions: { code, upstream, outcome = 'REFUSED' } = {} }: Failure) =>
  code === 'UNAUTHENTICATED' && upstream !== undefined && outcome === 'REFUSED';

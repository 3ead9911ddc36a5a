import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';

/** What each API is called with. A field whose credential is missing is an error, and calls nothing. */
export interface Credentials {
  /** An API token, for the account and flex APIs, and for a CRM that shares it. */
  readonly token?: string;
  readonly crmToken?: string;
  readonly forum?: { readonly login: string; readonly password: string };
}

/** A router's own errors may lack their extensions. */
export interface Failure {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: string;
    /** Of a mutation: whether its write was carried out. */
    readonly outcome?: 'APPLIED' | 'REFUSED' | 'UNKNOWN';
  };
}

/** An API that is down costs its own fields only: there may be errors, and data beside them. */
export interface Answer<TData> {
  readonly data?: TData | null;
  readonly errors?: readonly Failure[];
}

/** A document of `generated/`, or of `generated/throwing/`. */
interface TypedDocument<TData, TVariables> extends DocumentTypeDecoration<TData, TVariables> {
  readonly __meta__?: Readonly<Record<string, unknown>> | undefined;
}

/** Where every variable is optional, so are the variables. */
type Variables<T> = Record<string, never> extends T ? [variables?: T] : [variables: T];

export type Execute = <TData, TVariables>(
  document: TypedDocument<TData, TVariables>,
  ...variables: Variables<TVariables>
) => Promise<Answer<TData>>;

const graphqlResponse = 'application/graphql-response+json';

/**
 * Runs typed documents at an endpoint.
 *
 * @param sends what a request has of its document: the text, or its id in the manifest, which the gateway has to have
 */
export function connect(endpoint: string, credentials: Credentials, sends: 'text' | 'id' = 'text'): Execute {
  const headers = { accept: graphqlResponse, 'content-type': 'application/json', ...headersOf(credentials) };
  return async <TData, TVariables>(query: TypedDocument<TData, TVariables>, ...[variables]: Variables<TVariables>) => {
    const named = sends === 'id' ? { documentId: query.__meta__?.['hash'] } : { query };
    const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ ...named, variables }) });
    if (!response.headers.get('content-type')?.startsWith(graphqlResponse)) {
      throw new Error(`${endpoint} answered ${response.status} without GraphQL.`);
    }
    // The document's type was made from the schema that the gateway answers by.
    return (await response.json()) as Answer<TData>;
  };
}

/**
 * The data of an answer without errors, for the documents of `generated/throwing/`: their types have no null where a null
 * comes with an error only.
 *
 * @throws Error with the message of the first error
 */
export async function dataOf<TData>(sent: Promise<Answer<TData>>): Promise<TData> {
  const { data, errors } = await sent;
  if (data && !errors?.length) return data;
  throw new Error(errors?.[0]?.message ?? 'There is neither data nor an error.');
}

function headersOf({ token, crmToken, forum }: Credentials): Record<string, string> {
  return {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(crmToken !== undefined && { 'x-crm-token': crmToken }),
    ...(forum && { 'x-forum-authorization': `Basic ${base64(`${forum.login}:${forum.password}`)}` }),
  };
}

/** `btoa` alone refuses letters beyond Latin-1. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

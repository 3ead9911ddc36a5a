import { z } from 'zod';
import { authenticateToken, type Caller } from '../account/users.ts';
import type { SandboxServices } from '../services.ts';
import type { Request } from '../router.ts';

const credential = z.object({ api_token: z.string() });

/**
 * Authenticates a GET or DELETE request by the `api_token` in its query.
 *
 * @throws HttpError 401
 */
export function authenticateByQuery(services: SandboxServices, { query }: Pick<Request, 'query'>): Caller {
  return authenticateToken(services, credential.safeParse(query).data?.api_token);
}

/**
 * Authenticates a POST or PUT request by the `api_token` in its body.
 *
 * @throws HttpError 401
 */
export function authenticateByBody(services: SandboxServices, { body }: Pick<Request, 'body'>): Caller {
  return authenticateToken(services, credential.safeParse(body).data?.api_token);
}

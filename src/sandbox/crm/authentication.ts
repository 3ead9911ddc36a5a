import { z } from 'zod';
import { authenticateToken, type Caller } from '../account/users.ts';
import type { SandboxServices } from '../services.ts';
import type { Request } from '../router.ts';

const credential = z.object({ api_token: z.string() });

/** Who sent a GET or DELETE: the owner of the `api_token` in the query, or 401. */
export function authenticateByQuery(services: SandboxServices, { query }: Pick<Request, 'query'>): Caller {
  return authenticateToken(services, credential.safeParse(query).data?.api_token);
}

/** Who sent a POST or PUT: the owner of the `api_token` in the body, or 401. */
export function authenticateByBody(services: SandboxServices, { body }: Pick<Request, 'body'>): Caller {
  return authenticateToken(services, credential.safeParse(body).data?.api_token);
}

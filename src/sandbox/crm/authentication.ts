import { z } from 'zod';
import { type Caller, callerOf } from '../account/users.ts';
import type { House } from '../house.ts';
import type { Request } from '../router.ts';

const credential = z.object({ api_token: z.string() });

/** Who sent a GET or DELETE: the owner of the `api_token` in the query, or 401. */
export function reader(house: House, { query }: Pick<Request, 'query'>): Caller {
  return callerOf(house, credential.safeParse(query).data?.api_token);
}

/** Who sent a POST or PUT: the owner of the `api_token` in the body, or 401. */
export function writer(house: House, { body }: Pick<Request, 'body'>): Caller {
  return callerOf(house, credential.safeParse(body).data?.api_token);
}

import { expect } from 'vitest';
import { gatewayOver, type Result } from './gateway.ts';
import { says, stubUpstream } from './stub-upstream.ts';

/** The list of tokens of a healthy upstream. */
export const TOKENS = '{ apiTokens { upstreamId } }';
export const wellBehaved = says('[{"id":1}]');

/** A gateway whose upstream, the CRM too, answers so at first, and well from then on. */
export async function gatewayMeeting(first: Parameters<typeof stubUpstream>[0]) {
  let answered = 0;
  const upstream = await stubUpstream((request, response) => {
    answered += 1;
    return (answered === 1 ? first : wellBehaved)(request, response);
  });
  const settings = { CRM_URL: new URL(upstream.url), CRM_SHARES_TOKEN: 'true' } as const;
  return { ...(await gatewayOver(upstream.url, settings, 'token')), upstream };
}

export interface Failure {
  readonly code: string;
  readonly message: RegExp;
  readonly endpoint?: string;
  readonly status?: number;
}

/** Asserts one error of this code, whose message names what to change, and that names the call but no address. */
export function expectFailure({ errors }: Result, { code, message, endpoint, status }: Failure): void {
  expect(errors).toHaveLength(1);
  expect(errors[0]?.extensions).toMatchObject({ code });
  expect(errors[0]?.message).toMatch(message);
  expect(errors[0]?.extensions['upstream']).toEqual(
    endpoint === undefined ? undefined : { api: 'account', endpoint, ...(status !== undefined && { status }) },
  );
  expect(JSON.stringify(errors)).not.toMatch(/https?:|127\.0\.0\.1|localhost|\bat .*\.(ts|js):/);
}

/** Asserts that the gateway still answers a good query, once its upstream does. */
export async function expectHealthy(execute: (query: string) => Promise<Result>): Promise<void> {
  const { errors, data } = await execute(TOKENS);
  expect(errors).toEqual([]);
  expect(data).toEqual({ apiTokens: [{ upstreamId: '1' }] });
}

import { expect, inject } from 'vitest';
import { ask } from './open-app.ts';

const unavailable = { status: 503 };

/** From now on the endpoint answers with the status 503, or late. */
export async function breakDown(endpoint: string, fault: object = unavailable): Promise<void> {
  await control('POST', JSON.stringify({ endpoint, ...fault }));
}

/** Ends all faults. */
export const endFaults = (): Promise<void> => control('DELETE');

/** Ends all faults, and waits until the gateway calls the API again. */
export async function repair(query: string): Promise<void> {
  await endFaults();
  await expect.poll(() => ask(query).catch((error: unknown) => error)).not.toBeInstanceOf(Error);
}

async function control(method: string, body?: string): Promise<void> {
  const init = { method, ...(body !== undefined && { body }) };
  const response = await fetch(new URL('/sandbox/faults', inject('sandbox')), init);
  expect(response.ok).toBe(true);
}

import { inject } from 'vitest';

/** An answer of the sandbox that is not the usual one: see docs/sandbox.md. */
interface Fault {
  readonly endpoint: string;
  readonly status?: number;
  readonly delayMs?: number;
  readonly cut?: boolean;
  readonly applyThenCut?: string;
  readonly times?: number;
}

/** Back to the demo data, without faults. */
export async function resetSandbox() {
  await ask('DELETE', '/sandbox/faults');
  await ask('POST', '/sandbox/reset');
}

export const addFault = (fault: Fault) => ask('POST', '/sandbox/faults', fault);

async function ask(method: string, path: string, body?: Fault) {
  const headers = { 'content-type': 'application/json' };
  const init = { method, ...(body && { headers, body: JSON.stringify(body) }) };
  const response = await fetch(new URL(path, inject('sandbox')), init);
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
}

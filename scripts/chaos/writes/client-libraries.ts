import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Caller } from './intents.ts';

/** The apps whose client libraries send the writes, with the retries of the app. */
const APPS = ['apollo', 'urql'] as const;

/** How an app makes a caller: see `test/caller.ts` of the app. */
type MakeCaller = (url: string, token: string, options: { attempts: number; delayMs: number }) => Caller;

/**
 * Loads Apollo Client and urql from the apps of `examples/`, where they are installed: they are no dependencies of this project.
 *
 * @throws Error that says what to install
 */
export async function loadClientLibraries(): Promise<ReadonlyMap<string, MakeCaller>> {
  const missing = APPS.filter((app) => !existsSync(new URL(`../../../examples/${app}/node_modules`, import.meta.url)));
  if (missing.length > 0) {
    const commands = missing.map((app) => `npm ci --prefix examples/${app}`).join(' && ');
    throw new Error(`The client libraries are not installed. Run: ${commands}`);
  }
  const makers = APPS.map(async (app): Promise<[string, MakeCaller]> => {
    const file = new URL(`../../../examples/${app}/test/caller.ts`, import.meta.url);
    const loaded: unknown = await import(file.href);
    if (!isCallerModule(loaded)) throw new Error(`${fileURLToPath(file)} exports no function \`caller\`.`);
    return [app, loaded.caller];
  });
  return new Map(await Promise.all(makers));
}

/** The types of the apps are checked with their own dependencies: here the name and the kind of the export are. */
function isCallerModule(loaded: unknown): loaded is { caller: MakeCaller } {
  return typeof loaded === 'object' && loaded !== null && 'caller' in loaded && typeof loaded.caller === 'function';
}

import type { Worker } from 'node:cluster';
import type { DriftReporter } from '../typed-flex/flex-schema.ts';
import { readFromWorker, tell } from './messages.ts';

/** The file of FLEX_SCHEMA as the primary has read it, and the databases that differ from it, for all workers that have its types. */
export interface SharedSnapshot {
  readonly text: string;
  readonly news: DriftReporter;
}

/** In the primary: gives a worker the text, and hears of the databases that it has seen to differ. */
export function shareSnapshot(worker: Worker, { text, news }: SharedSnapshot): void {
  worker.on('message', (message: unknown) => {
    const told = readFromWorker(message);
    if (told && 'wantsFlexSchema' in told) tell(worker, { flexSchema: text });
    if (told && 'drift' in told) news.add(told.drift, told.databases);
  });
}

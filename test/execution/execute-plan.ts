import type { ExecutionArgs } from 'graphql';
import { planExecution } from '../../src/execution/executor.ts';

const unbounded = {
  maxCharacters: Infinity,
  tooLarge: () => new Error('Too large.'),
  pause: () => undefined,
  characters: undefined,
};

/** Executes an operation by its plan, whatever the size of its response. Undefined when it has none. */
export const executePlan = (given: ExecutionArgs) => planExecution(given, unbounded)?.run();

import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../context.ts';

/** What the plugins get of an operation, beside what Yoga tells them of its request. */
export interface OperationContext {
  readonly operation: Context;
}

/**
 * Gives resolvers the context of their operation alone. Plugins extend theirs by assignment, which would make every data
 * source of the operation: it makes each when it is first asked for.
 */
export function useOperationContext(): Plugin<OperationContext> {
  return {
    onExecute: ({ executeFn, setExecuteFn }) => {
      setExecuteFn((args) => executeFn({ ...args, contextValue: args.contextValue.operation }));
    },
  };
}

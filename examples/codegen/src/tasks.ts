import { type TaskFragment, TasksDocument, type TasksQueryVariables } from '../generated/graphql.ts';
import type { Execute } from './client.ts';

/** Reads a page of open tasks, the most urgent first. */
export async function openTasks(execute: Execute, assignee: string): Promise<readonly TaskFragment[]> {
  const variables: TasksQueryVariables = {
    filter: { status: { equals: 'open' }, assignee: { equals: assignee } },
    orderBy: { field: 'DUE_AT' },
    first: 10,
  };
  const { data, errors } = await execute(TasksDocument, variables);
  const nodes = data?.tracker?.tasks?.nodes;
  if (!nodes) throw new Error(errors?.[0]?.message ?? 'The tasks cannot be read.');
  return nodes.filter((task) => task !== null);
}

/** The line of a task in a list. Any value may be missing: old records keep what they have when a definition changes. */
export function taskLine({ title, priority, estimate, dueAt }: TaskFragment): string {
  const due = dueAt === null ? 'any day' : new Date(dueAt).toLocaleDateString('en', { timeZone: 'UTC' });
  return `${title ?? 'A task'}, priority ${priority ?? 'unknown'}, ${estimate ?? 'some'} hours, due ${due}`;
}

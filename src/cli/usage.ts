import type { Flags } from '../config.ts';
import { errorCode } from '../system.ts';

// Option values of a command line, and usage errors.

/** The values of the options of a command, by their names. Those of an option that may be repeated are a list. */
export type Values = Readonly<Record<string, Value>>;

type Value = string | boolean | readonly (string | boolean)[] | undefined;

/** The value of an option that takes a text. Undefined when it was not given. */
export function textOrNone(value: Value): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The texts of an option that may be repeated. Undefined when it was not given. */
export function textsOrNone(value: Value): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : undefined;
}

/** The settings of `--flex-schema` and `--public`. None when they were not given. */
export function schemaFlags({ 'flex-schema': file, public: isPublic }: Values): Flags {
  return { ...(typeof file === 'string' && { FLEX_SCHEMA: file }), ...(isPublic && { PUBLIC: 'true' }) };
}

/** An invalid command line, or one whose port, host or file cannot be used. Its message is one line. */
export class UsageError extends Error {}

/** For `.catch`: turns the error of a server that could not listen into advice which setting or flag to change. */
export function explainListenError(port: string, host = port) {
  return (error: unknown): never => {
    const code = errorCode(error);
    const cause = error;
    const at = error instanceof Error && 'port' in error ? String(error.port) : 'given';
    if (code === 'EADDRINUSE')
      throw new UsageError(`Port ${at} is taken: set ${port} to another one, or to 0.`, { cause });
    if (code === 'EACCES')
      throw new UsageError(`Port ${at} needs privileges that this process lacks: set ${port} to another one.`, {
        cause,
      });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      throw new UsageError(`${host} is no address of this machine (${code}).`, { cause });
    }
    throw error;
  };
}

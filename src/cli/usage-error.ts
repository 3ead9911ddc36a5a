/** An invalid command line, or one whose port, host or file cannot be used. Its message is one line. */
export class UsageError extends Error {}

/** For `.catch`: turns the error of a server that could not listen into advice which setting or flag to change. */
export function explainListenError(port: string, host = port) {
  return (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
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

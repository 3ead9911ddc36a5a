import { vi } from 'vitest';
import { main } from '../../src/cli/command-line.ts';
import type { Ended } from './trivium.ts';

/** Runs a command that ends by itself in this process, which takes a tenth of a process of its own. */
export async function inProcess(
  args: readonly string[],
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const own = process.env;
  const handlers = [process, process.stdout].map((emitter) => vi.spyOn(emitter, 'on').mockReturnThis());
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)];
  process.env = { ...env };
  try {
    const code = await main(args);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.env = own;
    for (const spy of [...handlers, stdout.spy, stderr.spy]) spy.mockRestore();
  }
}

function captured(stream: NodeJS.WriteStream) {
  const texts: unknown[] = [];
  const spy = vi.spyOn(stream, 'write').mockImplementation((text) => texts.push(text) > 0);
  return { spy, text: () => texts.join('') };
}

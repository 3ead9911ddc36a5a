import { onTestFinished, vi } from 'vitest';

/** Keeps what this process prints until the test ends. @returns the text so far, and none of it the next time */
export function printed(): () => string {
  const texts: unknown[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, 'write').mockImplementation((text) => texts.push(text) > 0);
    onTestFinished(() => spy.mockRestore());
  }
  return () => texts.splice(0).join('');
}

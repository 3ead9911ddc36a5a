import { vi } from 'vitest';

/** How many characters the texts have in all that are searched, matched or replaced while some work is done. */
export function charactersRead(work: () => unknown): number {
  const { prototype } = String;
  const spies = [vi.spyOn(prototype, 'includes'), vi.spyOn(prototype, 'match'), vi.spyOn(prototype, 'replaceAll')];
  try {
    work();
    return spies.flatMap(({ mock }) => mock.contexts.map(String)).join('').length;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** How many characters are read one by one while some work is done. */
export function singleCharactersRead(work: () => unknown): number {
  const reading = vi.spyOn(String.prototype, 'charCodeAt');
  try {
    work();
    return reading.mock.calls.length;
  } finally {
    reading.mockRestore();
  }
}

import { expect, test } from 'vitest';
import { startSandbox } from '../src/start.ts';

test('a start that fails is told, with the exit code and with the reason', async () => {
  await expect(startSandbox('missing.json')).rejects.toThrow(/exit code 2: [^]*missing\.json/);
});

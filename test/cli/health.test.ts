import { expect, test } from 'vitest';
import { says, stubUpstream } from '../support/stub-upstream.ts';
import { inProcess } from './in-process.ts';
import { trivium } from './trivium.ts';

test.each([
  ['takes requests', 200, 0],
  ['shuts down', 503, 1],
])(
  'health prints what a gateway that %s answers at /ready, for all addresses of the machine, too',
  async (_name, status, code) => {
    const { url, received } = await stubUpstream(says('{"status":"so"}', { status }));
    const env = { PORT: new URL(url).port, HOST: '0.0.0.0' };
    expect(await trivium(['health'], { env })).toEqual({ code, stdout: '{"status":"so"}\n', stderr: '' });
    expect(received).toEqual(['GET /ready']);
  },
);

test('health fails where nothing listens, and says in one line that it needs a port', async () => {
  const silent = await inProcess(['health'], { env: { PORT: '1' } });
  expect(silent).toEqual({ code: 1, stdout: '', stderr: 'The gateway does not answer.\n' });
  const unknown = await inProcess(['health'], { env: { PORT: '0' } });
  expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^health asks at PORT.*\n$/) });
});

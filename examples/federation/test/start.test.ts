import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test, type TestContext } from 'vitest';
import { asker } from './support/ask.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** `npm start`, without npm: it would hand on the signal, and end by itself. */
async function started({ onTestFinished }: TestContext) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: folder,
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM'); // not SIGKILL: it has a process of its own to end
    await exited;
  });
  const banner = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      if (printed.includes('Ctrl-C')) resolve(printed);
    });
    exited.then(([code]) => reject(new Error(`It ended with ${code}.`)), reject);
  });
  return { child, exited, banner };
}

// Both at once: most of their time one of them waits for a process.
test.concurrent.for(['SIGINT', 'SIGTERM'] as const)(
  'npm start says what to ask, and %s ends all of it',
  async (signal, context) => {
    const { expect } = context;
    const { child, exited, banner } = await started(context);
    const urls = banner.match(/http\S+\/graphql/g) ?? [];
    const [gateway = ''] = urls;
    expect(new Set(urls).size).toBe(5);

    const headers = Object.fromEntries(
      [...banner.matchAll(/^ {2}(\S+): (.+)$/gm)].map(([, name, value]) => [name, value]),
    );
    const [query = ''] = /^ {2}query [^]*?^ {2}\}$/m.exec(banner) ?? [];
    const { data, errors } = await asker(gateway)(query, headers);
    expect(errors).toEqual([]);
    expect(JSON.stringify(data)).not.toMatch(/null/);

    const [curl = ''] = /curl .*/.exec(banner) ?? [];
    const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
    expect(JSON.parse(stdout)).toMatchObject({
      data: { invoices: [{ client: { name: expect.any(String) } }, {}, {}] },
    });

    const page = await fetch(gateway, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('query Overview');

    child.kill(signal);
    expect(await exited).toEqual([0, null]);
    const answers = await Promise.allSettled(urls.map((url) => fetch(url)));
    expect(answers.map(({ status }) => status)).toEqual(urls.map(() => 'rejected'));
  },
);

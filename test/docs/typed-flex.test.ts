import { join } from 'node:path';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../src/config.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { trivium } from '../cli/trivium.ts';
import { gatewayOver, type TestGateway } from '../support/gateway.ts';
import { fences, read } from './pages.ts';

// The guide of docs/typed-flex.md, as a reader would follow it: each step finds what those before it have left.

const page = read('docs/typed-flex.md');

/** The text of a step of the guide. */
function step(number: number): string {
  return page.split(/^##+ /m).find((section) => section.startsWith(`${number}. `)) ?? '';
}

/** The JSON that a step shows, in turn. */
function answers(number: number): unknown[] {
  return fences(step(number), 'json').map((answer) => JSON.parse(answer));
}

describe('the guide of docs/typed-flex.md', { shuffle: false }, () => {
  let sandbox: Sandbox;
  let folder: string;

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 });
    folder = await mkdtemp(join(tmpdir(), 'trivium-guide-'));
  });
  afterAll(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true });
  });

  /** The settings and the arguments of the command of a step that has this word, at the sandbox of this test. */
  function command(number: number, word: string) {
    const line = fences(step(number), 'sh').find((line) => line.includes(word)) ?? '';
    const [settings = '', args = ''] = line.trim().split(/node dist\/main\.js |npm start/);
    const env: Record<string, string> = Object.fromEntries(
      [...settings.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
        name,
        value.replace('http://127.0.0.1:4001', sandbox.urls.account),
      ]),
    );
    return { env, args: args.split(' ') };
  }

  async function run(number: number, word: string) {
    const { env, args } = command(number, word);
    const { code, stdout, stderr } = await trivium(args, { env, cwd: folder });
    return { code, printed: stdout + stderr };
  }

  /** Starts the gateway of a step. Without an address in its command it is that of the sandbox. */
  async function serve(number: number, word: 'npm start' | 'serve'): Promise<TestGateway> {
    const { env, args } = command(number, word);
    const file = join(folder, env['FLEX_SCHEMA'] ?? '');
    const isPublic = args.includes('--public');
    const config = readConfig({ ...env, FLEX_SCHEMA: file, PORT: '0', ...(isPublic && { PUBLIC: 'true' }) });
    return gatewayOver(sandbox.urls.account, config, isPublic ? '' : 'demo-admin');
  }

  test('1: the pull prints what the page shows', async () => {
    expect(await run(1, 'flex pull')).toEqual({ code: 0, printed: fences(step(1), 'text')[0] });
  });

  test('2: the file has the names that the page shows', async () => {
    const { names } = JSON.parse(await readFile(join(folder, 'flex.schema.json'), 'utf8'));

    expect([names.tracker.tables]).toMatchObject(answers(2));
  });

  test.each([4, 5])('%i: the operation has the answer that the page shows', async (number) => {
    const { execute } = await serve(3, 'npm start');

    const { data, errors } = await execute(fences(step(number), 'graphql')[0] ?? '');

    expect(errors).toEqual([]);
    expect([{ data }]).toEqual(answers(number));
  });

  test('6: a plan says that a change breaks, another change is made, and the diff shows it', async () => {
    const { execute } = await serve(3, 'npm start');

    const results: unknown[] = [];
    for (const operation of fences(step(6), 'graphql')) {
      const { data, errors } = await execute(operation);
      expect(errors).toEqual([]);
      results.push({ data });
    }
    const { code, printed } = await run(6, 'flex diff');

    expect(results).toEqual(answers(6));
    expect(code).toBe(0);
    expect(printed).toContain(fences(step(6), 'text')[0]);
    expect(printed).toMatch(/^GraphQL schema:[^]*^Anonymous GraphQL schema:/m);
  });

  test('7: after another pull the page lists the rows without a credential, and nothing else is served', async () => {
    await run(1, 'flex pull');
    const { execute, url } = await serve(7, 'serve');
    const origin = 'http://localhost:8080';

    const first = await readProducts(`${url}/graphql`);
    const second = await readProducts(`${url}/graphql`, first.next);
    const { headers } = await execute('{ __typename }', { token: null, headers: { origin } });
    const { data, errors } = await execute('{ tracker { tasks { nodes { id } } } }', { token: 'demo-admin' });

    const names = [...first.products, ...second.products].map(({ name }) => name);
    expect(names).toHaveLength(40);
    expect(names[0]).toBe('Łódź birch crate No. 5'); // the last one of the demo
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
  });
});

interface ProductsPage {
  readonly products: readonly { readonly name: string }[];
  readonly next: string | null;
}

const examplePage = z.object({
  readProducts: z.custom<(endpoint: string, after?: string | null) => Promise<ProductsPage>>(
    (value) => typeof value === 'function',
  ),
});

/** The function of the page of step 8. */
async function readProducts(endpoint: string, after: string | null = null): Promise<ProductsPage> {
  const module: unknown = await import(new URL('../../examples/products-page/products.js', import.meta.url).href);
  return examplePage.parse(module).readProducts(endpoint, after);
}

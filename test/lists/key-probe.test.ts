import { describe, expect, test } from 'vitest';
import { ForbiddenError, UnavailableError } from '../../src/errors.ts';
import { KeyProbe } from '../../src/graph/lists/key-probe.ts';
import { gatewayOver } from '../support/gateway.ts';
import { saysJson, tally } from '../support/stub-crm.ts';
import { stubUpstream } from '../support/stub-upstream.ts';

interface Deal {
  readonly id: string;
  readonly name?: string;
}

/** Reads the key of this many records at once; `load` answers for each. */
function probing(count: number, load: (index: number) => Promise<Deal>) {
  const probe = new KeyProbe<Deal>((deal) => Object.hasOwn(deal, 'name'));
  const loaded: number[] = [];
  const results = Array.from({ length: count }, (_none, index) =>
    probe.read(() => {
      loaded.push(index);
      return load(index);
    }),
  );
  return { loaded, results: Promise.allSettled(results), probe };
}

const lacking = async (index: number): Promise<Deal> => ({ id: String(index) });
const having = async (index: number): Promise<Deal> => ({ id: String(index), name: 'a' });

describe('a key that lists lack', () => {
  test('is read from three records when all three lack it', async () => {
    const { loaded, results, probe } = probing(10, lacking);
    expect((await results).map((result) => (result.status === 'fulfilled' ? result.value?.id : 'failed'))).toEqual([
      '0',
      '1',
      '2',
      ...Array.from({ length: 7 }, () => undefined),
    ]);
    expect(loaded).toEqual([0, 1, 2]);
    expect(await probe.read(async () => having(11))).toBeUndefined();
  });

  test('is read from every record once one has it', async () => {
    const { loaded, results } = probing(10, (index) => (index === 2 ? having(index) : lacking(index)));
    expect((await results).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(loaded).toHaveLength(10);
  });

  test('starts with three reads at once', async () => {
    const { loaded, results } = probing(10, having);
    expect(loaded).toEqual([0, 1, 2]);
    await results;
    expect(loaded).toHaveLength(10);
  });

  test('is not decided by a few records that cannot be read', async () => {
    const failing = probing(7, async (index) => {
      if (index < 3) throw new UnavailableError('status 500');
      if (index === 3) throw new ForbiddenError('status 403');
      return lacking(index);
    });
    const results = await failing.results;
    expect(results.map(({ status }) => status)).toEqual([...Array(4).fill('rejected'), ...Array(3).fill('fulfilled')]);
    expect(failing.loaded).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('is asked of five records when all five fail alike; the others fail with their code, and say so', async () => {
    const forbidden = async () => {
      throw new ForbiddenError('Not allowed.');
    };
    const { loaded, results } = probing(40, forbidden);
    const reasons = (await results).map((result) => (result.status === 'rejected' ? result.reason : undefined));
    expect(loaded).toEqual([0, 1, 2, 3, 4]);
    expect(reasons.slice(0, 5)).toEqual(Array(5).fill(expect.objectContaining({ message: 'Not allowed.' })));
    const message = 'This record was not read, because reads of others failed: Not allowed.';
    expect(reasons.slice(5)).toEqual(Array(35).fill(expect.objectContaining({ message, code: 'FORBIDDEN' })));
  });

  test('is read on after failures of which no five are alike', async () => {
    const { loaded, results } = probing(40, async (index) => {
      throw new ForbiddenError(`Number ${index}.`);
    });
    await results;
    expect(loaded).toHaveLength(40);
  });

  test('is asked of few records when the failures alternate', async () => {
    const { loaded, results } = probing(40, async (index) => {
      throw new ForbiddenError(index % 4 === 3 ? 'One.' : 'Other.');
    });
    await results;
    expect(loaded).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('is read on where reads that succeed are between the failures', async () => {
    const { loaded, results } = probing(40, async (index) => {
      if (index % 4 === 3) return having(index);
      throw new ForbiddenError('Not allowed.');
    });
    await results;
    expect(loaded).toHaveLength(40);
  });

  test('is read on after failures once a record has it', async () => {
    const { loaded, results } = probing(40, async (index) => {
      if (index === 0) return having(index);
      throw new ForbiddenError('Not allowed.');
    });
    await results;
    expect(loaded).toHaveLength(40);
  });
});

describe('400 posts in a list without a key', () => {
  const POSTS = Array.from({ length: 400 }, (_none, index) => ({ id: index + 1, title: 'T' }));
  const QUERY = '{ posts(first: 400) { nodes { title request { referrer } } } }';

  test('cost nine reads by id where each other answers 403 and 404', async () => {
    const upstream = await stubUpstream((request, response) => {
      const isList = request.url?.startsWith('/app.json');
      const status = /[02468]\.json/.test(request.url ?? '') ? 403 : 404;
      (isList ? saysJson(POSTS) : saysJson({}, status))(request, response);
    });
    const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
    await execute(QUERY);
    const { 'GET /app/posts/:id.json': reads = 0 } = tally(upstream.received);
    expect(reads).toBeGreaterThanOrEqual(5);
    expect(reads).toBeLessThanOrEqual(9);
  });

  test.each([
    [403, 'FORBIDDEN', 'The crm API does not allow this to the caller.'],
    [404, 'UPSTREAM_BAD_RESPONSE', 'The record cannot be read any more: there is none with this id.'],
  ])('cost five reads by id where each answers %d, and each row has its error', async (status, code, message) => {
    const upstream = await stubUpstream((request, response) =>
      (request.url?.startsWith('/app.json') ? saysJson(POSTS) : saysJson({}, status))(request, response),
    );
    const { execute } = await gatewayOver(upstream.url, { CRM_URL: new URL(upstream.url) }, 'token');
    const { data, errors } = await execute(QUERY);
    expect(tally(upstream.received)).toEqual({ 'GET /app.json': 1, 'GET /app/posts/:id.json': 5 });
    expect(data).toMatchObject({ posts: { nodes: POSTS.map(() => ({ title: 'T', request: { referrer: null } })) } });
    expect(errors.slice(0, 100).map((error) => error.extensions['code'])).toEqual(Array(100).fill(code));
    expect(errors.at(100)?.message).toBe('300 more errors are not listed.');
    const messages = errors
      .slice(0, 100)
      .toSorted((one, other) => Number(one.path?.[2]) - Number(other.path?.[2]))
      .map((error) => error.message);
    const notRead = `This record was not read, because reads of others failed: ${message}`;
    expect(messages).toEqual([...Array(5).fill(message), ...Array(95).fill(notRead)]);
  });
});

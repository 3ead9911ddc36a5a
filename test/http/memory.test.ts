import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { peakBytes } from '../support/memory.ts';
import { stubUpstream } from '../support/stub-upstream.ts';
import { running } from '../cli/trivium.ts';

const CLIENTS = 20_000;
const MB = 1024 ** 2;

const ten = (kind: string, value: unknown) =>
  Object.fromEntries(Array.from({ length: 10 }, (_none, index) => [`${kind}${index + 1}`, value]));

const TEXTS = 'first_name email phone mobile_phone www tax_no shortcut note street country bank bank_account'.split(
  ' ',
);

/** A client with as many fields as the document has. */
const client = (id: number) => ({
  id,
  name: `Zażółć ${id}`,
  city: 'Łódź',
  last_name: `Kowalska ${CLIENTS - id}`,
  kind: id % 2 ? 'buyer' : 'seller',
  company: true,
  description: 'x'.repeat(60),
  discount: '2.50',
  ...Object.fromEntries(TEXTS.map((key) => [key, `${key} ${id}`])),
  ...ten('reference', id % 80),
  ...ten('unknown', null),
  ...ten('string', `text ${id}`),
  ...ten('integer', id),
  ...ten('decimal', '1.50'),
  ...ten('checkbox', true),
  ...ten('date', '2026-01-02'),
  ...ten('text', null),
  ...ten('datetime', '2026-01-02T03:04:05Z'),
  created_at: '2026-01-02T03:04:05.678+01:00',
  updated_at: '2026-01-02T03:04:05.678+01:00',
});

const FIELDS = `upstreamId name shortcut kind company firstName lastName email phone mobilePhone www taxNo discount note
  address { street city country } bank { name account } customFields { string1 datetime10 } createdAt`;

let list: Buffer[];
beforeAll(() => {
  list = Array.from({ length: CLIENTS / 100 }, (_none, part) => {
    const items = Array.from({ length: 100 }, (_item, index) => JSON.stringify(client(part * 100 + index + 1)));
    return Buffer.from(`${part === 0 ? '[' : ','}${items.join(',')}`);
  });
  list.push(Buffer.from(']'));
});

/** A gateway as a process of its own, over an upstream that answers a long list of clients. */
async function gatewayProcess(settings: Readonly<Record<string, string>> = {}) {
  const upstream = await stubUpstream((_request, response) => {
    response.setHeader('content-type', 'application/json');
    Readable.from(list).pipe(response);
  });
  const env = { PORT: '0', CRM_URL: upstream.url, ACCOUNT_URL: upstream.url, ...settings };
  const { banner, pid } = await running(['serve'], /http\S+\/graphql/, { env });
  const [endpoint = ''] = /http\S+\/graphql/.exec(banner) ?? [];
  const ask = async (query: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'x-crm-token': 'token' };
    return (await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ query }) })).json();
  };
  return { ask, pid, upstream };
}

// Over 40 MB are made, sent, read and searched four times.
describe(`a list of ${CLIENTS} clients`, () => {
  test('of more than 40 MB is answered from less than 512 MB of memory, again and again', async () => {
    expect(list.reduce((bytes, { length }) => bytes + length, 0)).toBeGreaterThan(40 * MB);
    const { ask, pid, upstream } = await gatewayProcess();

    const page = await ask(`{ clients(first: 50) { nodes { ${FIELDS} } pageInfo { hasNextPage } } }`);
    expect(page).toMatchObject({ data: { clients: { pageInfo: { hasNextPage: true } } } });
    expect(JSON.stringify(page).match(/"upstreamId":"\d+"/g)).toEqual(
      Array.from({ length: 50 }, (_none, index) => `"upstreamId":"${index + 1}"`),
    );
    expect(page).toMatchObject({
      data: { clients: { nodes: expect.arrayContaining([expect.objectContaining({ name: 'Zażółć 50' })]) } },
    });

    const found = await ask(
      `{ clients(first: 50, filter: { text: "KOWALSKA 1999" }, orderBy: { field: ID, direction: DESC }) { nodes { ${FIELDS} } } }`,
    );
    expect(JSON.stringify(found).match(/"upstreamId":"\d+"/g)).toEqual([
      '"upstreamId":"18001"',
      ...Array.from({ length: 10 }, (_none, index) => `"upstreamId":"${10 - index}"`),
    ]);
    for (let again = 0; again < 2; again++) await ask(`{ clients(first: 50) { nodes { ${FIELDS} } } }`);

    expect(upstream.received).toHaveLength(4);
    expect(peakBytes(pid) / MB).toBeLessThan(512);
  });
});

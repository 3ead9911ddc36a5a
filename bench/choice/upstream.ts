// The upstream of the benchmark of the choice, in a process of its own: clients in lists of any size, by id, and late.
// A path names both: `/2000/20/app/clients.json` is a list of 2,000 clients, and its head takes 20 ms.
import { createServer } from 'node:http';

const PATH = /^\/(\d{1,6})\/(\d{1,4})\/app\/clients(?:\/(\d{1,6}))?\.json/;

const customFields = ['string', 'integer', 'decimal', 'checkbox', 'date', 'text', 'datetime'].flatMap((kind) =>
  Array.from({ length: 10 }, (_none, index) => [`${kind}${index + 1}`, null] as const),
);

/** A client of about 2.1 KB: most of its fields are empty, as those of real clients are. */
function client(id: number): object {
  return {
    ...Object.fromEntries(customFields),
    id,
    name: `Łucja Wójcik ${id}`,
    tax_no: String(5_250_000_000 + id),
    email: `client${id}@example.test`,
    phone: `+48 22 ${1_000_000 + id}`,
    address: { street: 'ul. Długa', street_no: `${id % 90}`, post_code: `00-${id % 1000}`, city: 'Kraków' },
    created_at: new Date(1_700_000_000_000 + id * 61_000).toISOString(),
    updated_at: new Date(1_700_000_000_000 + id * 73_000).toISOString(),
    kind: 'buyer',
    discount: id % 5,
    company: id % 2 === 0,
    note: `Client ${id} prefers e-mail, see "file ${id}". `.repeat(12),
    posts_count: id % 17,
    contacts_count: id % 4,
    paid_total: (id * 12.5).toFixed(2),
  };
}

const bodies = new Map<string, Buffer>();

/** The response body for a path: of one client, or of `size` clients when there is no id. */
function bodyOf(size: number, id: number | undefined): Buffer {
  const key = id === undefined ? `list ${size}` : `one ${id}`;
  const known = bodies.get(key);
  if (known) return known;
  const list = () => Array.from({ length: size }, (_none, index) => client(index + 1));
  const body = Buffer.from(JSON.stringify(id === undefined ? list() : client(id)));
  bodies.set(key, body);
  return body;
}

/** Received requests for a list. The parent process asks for the number. */
let listCalls = 0;
process.on('message', () => process.send?.(listCalls));

const server = createServer((request, response) => {
  const [, size, latency, id] = PATH.exec(request.url ?? '') ?? [];
  if (size === undefined) return void response.writeHead(404).end();
  if (id === undefined) listCalls += 1;
  const body = bodyOf(Number(size), id === undefined ? undefined : Number(id));
  const answer = () =>
    void response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  return void (latency === '0' ? answer() : setTimeout(answer, Number(latency)));
});

server.keepAliveTimeout = 60_000;
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.(listCalls));
process.on('disconnect', () => process.exit());

// The canned upstream as a process: `tsx bench/upstream/main.ts`, with PORT and CLIENTS in the environment.
// GET /bench/calls tells the calls so far, GET /bench/reset starts to count anew, GET /bench/latency?N delays by N ms.
import { response, routesWith } from './routes.ts';
import { serve } from './server.ts';

const { PORT = '0', CLIENTS = '2000' } = process.env;
const routes = routesWith({ clients: Number(CLIENTS) });
const notFound = response('{"error":"not found"}', { status: '404 Not Found' });

let calls = 0;
let unknown = 0;
let latency = 0;

const controls = new Map<string, (query: string) => unknown>([
  ['/bench/calls', () => ({ calls, unknown })],
  ['/bench/reset', () => ([calls, unknown] = [0, 0])],
  ['/bench/latency', (query) => (latency = Number(query))],
]);

const server = serve((method, target) => {
  const [path = '', query = ''] = target.split('?', 2);
  const control = controls.get(path);
  if (control) return { response: response(JSON.stringify(control(query))), delayMs: 0 };
  calls++;
  const found = routes.get(`${method} ${path}`);
  if (!found) unknown++;
  return { response: found ?? notFound, delayMs: latency };
});

server.listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));

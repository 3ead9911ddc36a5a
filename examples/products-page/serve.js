import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';

// In place of the web server of an app: two files, on a free port.
const files = new Map([
  ['/', ['index.html', 'text/html']],
  ['/products.js', ['products.js', 'text/javascript']],
]);

const server = createServer(({ url = '/' }, response) => {
  const [file, type] = files.get(url.split('?')[0]) ?? [];
  if (file === undefined) return response.writeHead(404).end();
  return createReadStream(new URL(file, import.meta.url)).pipe(response.setHeader('Content-Type', type));
});
server.listen(0, 'localhost', () => console.log(`The page is at http://localhost:${server.address().port}/`));

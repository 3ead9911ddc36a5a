import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';

// In place of the server of an app: the page, on a free port.
const page = new URL('index.html', import.meta.url);
const server = createServer((_request, response) => {
  createReadStream(page).pipe(response.setHeader('Content-Type', 'text/html'));
});
server.listen(0, 'localhost', () => console.log(`The app is at http://localhost:${server.address().port}/`));

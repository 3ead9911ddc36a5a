// A list of clients: what the CRM answers, and the requests for it.

/** How many callers there are: each has a credential of its own. */
export const CALLERS = 20;

/** Requests of many callers in turn. */
export function requestsTo(port: number, clients: number): (index: number) => string {
  const body = JSON.stringify({ query: `{ clients(first: ${clients}) { nodes { id name email phone } totalCount } }` });
  const requests = Array.from({ length: CALLERS }, (_none, caller) =>
    [
      'POST /graphql HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer token-${caller}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  return (index) => requests[index % CALLERS] ?? '';
}

/** The CRM's answer to each call. */
export function clientList(count: number): string {
  const clients = Array.from({ length: count }, (_none, index) => ({
    id: index + 1,
    name: `Client ${index}`,
    email: `client${index}@example.test`,
    phone: null,
  }));
  return JSON.stringify(clients);
}

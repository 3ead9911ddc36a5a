import { startGraph } from './graph.ts';

const query = `# Of three of the subgraphs: each field says whose it is.
query Overview {
  invoices(first: 3) { # billing
    id
    amount
    client { # trivium, by the CRM's own id
      name
      deals(first: 2) {
        nodes {
          name
          price
        }
      }
      balance # billing
    }
  }
  topReviews(first: 3) { # reviews
    stars
    text
    record { # trivium, by the global id
      data(fields: ["name", "price"])
      averageRating # reviews
    }
  }
  forumPosts { # trivium
    nodes {
      title
      votesCount
    }
  }
}
`;

// What the demo data of trivium's sandbox knows; the second one is demo:demo.
const headers = { Authorization: 'Bearer demo-admin', 'X-Forum-Authorization': 'Basic ZGVtbzpkZW1v' };

const ended = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});

const graph = await startGraph({
  settings: { LOG_LEVEL: 'warn' },
  graphiql: { defaultQuery: query, headers: JSON.stringify(headers, null, 2) },
});
graph.trivium.onLog((line) => process.stderr.write(`${line}\n`));

const asked = JSON.stringify({ query: '{ invoices(first: 3) { id amount client { name balance } } }' });
process.stdout.write(`One graph of four subgraphs is up.

  Gateway   ${graph.url}   in a browser: GraphiQL, with a query and the headers
  trivium   ${graph.trivium.url}   over a sandbox with demo data
  billing   ${graph.billing.url}   extends Client
  reviews   ${graph.reviews.url}   extends FlexRecord
  nodes     ${graph.nodes.url}   answers node by global ids

The headers of a caller
${Object.entries(headers)
  .map(([name, value]) => `  ${name}: ${value}`)
  .join('\n')}

The query to paste
${query.replaceAll(/^(?=.)/gm, '  ')}
  curl -s ${graph.url} -H 'Content-Type: application/json' -H 'Authorization: ${headers.Authorization}' -d '${asked}'

Ctrl-C ends all of it.
`);
await ended;
await graph.close();

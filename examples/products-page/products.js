const query = `query Products($after: String) {
  publicProducts {
    list(first: 20, after: $after) {
      nodes { id name category price stock }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

/**
 * Reads a page of products, newest first, without any credential.
 *
 * @param endpoint address of a gateway that was started with `serve --public`
 * @param after cursor of the page before
 */
export async function readProducts(endpoint, after = null) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables: { after } }),
  });
  const { data, errors } = await response.json();
  if (!data?.publicProducts.list) throw new Error(errors?.[0].message ?? 'The products cannot be read.');
  const { nodes, pageInfo } = data.publicProducts.list;
  return {
    products: nodes.filter((product) => product !== null),
    next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
  };
}

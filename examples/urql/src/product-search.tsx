import { useState } from 'react';
import { useQuery } from 'urql';
import { ProductsDocument } from './documents';
import { Problem } from './problem';

/** What a product of the demo database holds; each value may be missing. */
const columns = ['name', 'sku', 'category', 'price', 'stock'] as const;

/** A search in a flexible database. */
export function ProductSearch() {
  const [query, setQuery] = useState('');
  const [after, setAfter] = useState<string>();
  const [{ data, error, fetching }, execute] = useQuery({
    query: ProductsDocument,
    variables: { query: query === '' ? null : query, after: after ?? null },
  });
  const found = data?.flexDb?.search;
  const rows = found?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  return (
    <section className="products" aria-labelledby="products-title">
      <h2 id="products-title">Products</h2>
      <form
        role="search"
        className="search"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery(String(new FormData(event.currentTarget).get('query') ?? '').trim());
          setAfter(undefined);
        }}
      >
        <label htmlFor="query">Search the products</label>
        <input id="query" name="query" type="search" />
        <button className="primary">Search</button>
      </form>
      {error && <Problem error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />}
      <p className="hint" aria-live="polite">
        {fetching ? 'Searching …' : found && `${rows.length}${found.pageInfo.hasNextPage ? ' or more' : ''} products`}
      </p>
      <div className="scroll" tabIndex={0} role="region" aria-label="Products found">
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, data }) => (
              <tr key={id}>
                {columns.map((column) => (
                  <td key={column}>{String(data?.[column] ?? '')}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found?.pageInfo.hasNextPage && (
        <button type="button" aria-disabled={fetching} onClick={() => setAfter(found.pageInfo.endCursor ?? undefined)}>
          Load more
        </button>
      )}
    </section>
  );
}

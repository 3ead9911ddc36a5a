import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { productsDocument } from './documents.ts';
import { Problem } from './problem.tsx';
import { SearchForm } from './search-form.tsx';

/** Searches a flexible database. The stock changes by itself, so the page asks again while it is looked at. */
export function Products() {
  const [text, setText] = useState('');
  const { data, previousData, error, loading, refetch } = useQuery(productsDocument, {
    variables: { text },
    pollInterval: 30_000,
    skipPollAttempt: () => document.hidden,
  });
  const found = (data ?? previousData)?.flexDb?.search;
  const rows = found?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  const shown = (value: unknown) => (value === null || value === undefined ? '–' : String(value));
  return (
    <main className="single" aria-busy={loading}>
      <h2>Products</h2>
      <SearchForm label="Search the products" button="Search" onSearch={setText} />
      <p role="status" className="hint">
        {found ? `${rows.length}${found.pageInfo.hasNextPage ? ' or more' : ''} products` : loading && 'Searching …'}
      </p>
      <Problem error={error} onRetry={() => void refetch()} />
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col">Number</th>
              <th scope="col" className="number">
                Price
              </th>
              <th scope="col" className="number">
                Stock
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, data }) => (
              <tr key={id}>
                <th scope="row">{shown(data?.name)}</th>
                <td>{shown(data?.sku)}</td>
                <td className="number">{shown(data?.price)}</td>
                <td className="number">{shown(data?.stock)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </main>
  );
}

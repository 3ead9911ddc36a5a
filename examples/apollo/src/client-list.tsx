import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { clientsDocument } from './documents.ts';
import { clientPath } from './route.ts';
import { SearchForm } from './search-form.tsx';

export function ClientList({ selected }: { selected: string | null }) {
  const [text, setText] = useState('');
  const filter = text === '' ? null : { text };
  const { data, previousData, error, loading, fetchMore } = useQuery(clientsDocument, {
    variables: { filter },
    fetchPolicy: filter ? 'cache-and-network' : 'cache-first', // a write may have changed which rows a filter keeps
  });
  const clients = (data ?? previousData)?.clients; // the rows of the last filter stay until those of the next are there

  const loadMore = (after: string | null) => void fetchMore({ variables: { after } });
  return (
    <section className="list" aria-labelledby="list-title">
      <div className="title">
        <h2 id="list-title">Clients</h2>
        <a className="button" href="#/clients/new">
          New client
        </a>
      </div>
      <SearchForm label="Filter by name" button="Filter" onSearch={setText} />
      <p role="status" className="hint">
        {clients ? `${clients.totalCount} clients` : loading && 'Loading the clients …'}
      </p>
      <p role="alert" className="refused">
        {error?.message}
      </p>
      <ul className="rows" aria-busy={loading}>
        {clients?.edges?.map(
          (edge) =>
            edge?.node && (
              <li key={edge.node.id}>
                <a href={clientPath(edge.node.id)} aria-current={edge.node.id === selected ? 'true' : undefined}>
                  <strong>{edge.node.name ?? 'No name'}</strong>
                  <span>{edge.node.address.city}</span>
                </a>
              </li>
            ),
        )}
      </ul>
      {clients?.pageInfo.hasNextPage && (
        <button type="button" className="quiet" onClick={() => loadMore(clients.pageInfo.endCursor)}>
          Load more
        </button>
      )}
    </section>
  );
}

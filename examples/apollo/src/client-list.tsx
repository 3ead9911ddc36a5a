import type { ErrorLike } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { clientsDocument } from './documents.ts';
import { clientPath } from './route.ts';
import { Problem } from './problem.tsx';
import { SearchForm } from './search-form.tsx';
import { whenSeen } from './when-seen.ts';

export function ClientList({ selected }: { selected: string | undefined }) {
  const [text, setText] = useState('');
  const filter = text === '' ? null : { text };
  const { data, previousData, error, loading, fetchMore, refetch } = useQuery(clientsDocument, {
    variables: { filter },
  });
  const clients = (data ?? previousData)?.clients; // the rows of the last filter stay until those of the next are there

  const after = clients?.pageInfo.endCursor;
  const [moreError, setMoreError] = useState<ErrorLike>();
  const loadMore = async () => {
    if (!data) return; // the rows are those of another filter
    const { error } = await fetchMore({ variables: { after }, errorPolicy: 'all' }); // not in the result of useQuery
    setMoreError(error);
  };
  return (
    <section className="list" aria-labelledby="list-title">
      <div className="title">
        <h2 id="list-title">Clients</h2>
        <a className="button" href="#/clients/new">
          New client
        </a>
      </div>
      <SearchForm
        label="Filter by name"
        button="Filter"
        onSearch={(text) => {
          setText(text);
          setMoreError(undefined);
        }}
      />
      <p role="status" className="hint">
        {clients ? `${clients.totalCount} clients` : loading && 'Loading the clients …'}
      </p>
      <Problem error={error} onRetry={() => void refetch()} />
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
        <>
          <p role="alert" className="refused">
            {moreError?.message}
          </p>
          <button
            type="button"
            className="quiet"
            ref={loading || moreError ? null : whenSeen(loadMore)}
            onClick={loadMore}
          >
            Load more
          </button>
        </>
      )}
    </section>
  );
}

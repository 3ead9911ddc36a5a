import { Suspense, useState } from 'react';
import { useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import listFragment, { type clientList_query$key } from './__generated__/clientList_query.graphql.ts';
import type { clientListPageQuery } from './__generated__/clientListPageQuery.graphql.ts';
import listQuery, { type clientListQuery } from './__generated__/clientListQuery.graphql.ts';
import { Summary } from './client-summary-page.tsx';
import { Problem, useRetry } from './problem.tsx';
import { whenSeen } from './when-seen.ts';

export function ClientList({ attempt }: { readonly attempt: number }) {
  const { options, retry } = useRetry(attempt);
  const data = useLazyLoadQuery<clientListQuery>(listQuery, {}, options);
  return (
    <>
      <Suspense fallback={null}>
        <Summary {...options} />
      </Suspense>
      <Rows query={data} onRetry={retry} />
    </>
  );
}

/** A list is null only when it could not be read. */
function Rows({ query, onRetry }: { readonly query: clientList_query$key; readonly onRetry: () => void }) {
  const { data, loadNext, hasNext } = usePaginationFragment<clientListPageQuery, clientList_query$key>(
    listFragment,
    query,
  );
  const [problem, setProblem] = useState<string>();
  const loadMore = () => {
    setProblem(undefined);
    loadNext(20, { onComplete: (error) => setProblem(error?.message) });
  };
  if (!data.clients) return <Problem title="Clients" message="The clients could not be read." onRetry={onRetry} />;
  return (
    <>
      <h1>{data.clients.totalCount} clients</h1>
      <ul>
        {data.clients.edges?.map(
          (edge) =>
            edge?.node && (
              <li key={edge.node.id}>
                <a href={`#/${edge.node.id}`}>{edge.node.name ?? edge.node.id}</a>
              </li>
            ),
        )}
      </ul>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {hasNext && (
        <button type="button" ref={problem === undefined ? whenSeen(loadMore) : null} onClick={loadMore}>
          Load more
        </button>
      )}
    </>
  );
}

import { useQuery } from '@apollo/client/react';
import { newestClientsDocument } from './documents.ts';

/** How many clients there are, and the newest three. After a write both are read again. */
export function NewestClients() {
  const { data, previousData } = useQuery(newestClientsDocument);
  const { all, newest } = data ?? previousData ?? {};
  return (
    <aside className="newest" aria-labelledby="newest-title">
      <h2 id="newest-title">Newest of {all?.totalCount ?? '…'} clients</h2>
      <ol>{newest?.edges?.map((edge) => edge?.node && <li key={edge.node.id}>{edge.node.name ?? 'No name'}</li>)}</ol>
    </aside>
  );
}

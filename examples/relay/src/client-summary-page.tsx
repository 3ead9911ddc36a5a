import { startTransition, useState } from 'react';
import { useLazyLoadQuery, useSubscribeToInvalidationState } from 'react-relay';
import type { FetchPolicy } from 'relay-runtime';
import summaryQuery, { type clientSummaryQuery } from './__generated__/clientSummaryQuery.graphql.ts';

/** How many clients there are, and the newest three. They are read again when a write has made them stale, also while they are shown. */
export function Summary({ fetchKey, fetchPolicy }: { readonly fetchKey: number; readonly fetchPolicy: FetchPolicy }) {
  const [writes, setWrites] = useState(0);
  const options = { fetchPolicy, fetchKey: `${fetchKey} ${writes}` };
  const { all, newest } = useLazyLoadQuery<clientSummaryQuery>(summaryQuery, {}, options);
  const ids = [all, newest].flatMap((list) => list?.__id ?? []);
  useSubscribeToInvalidationState(ids, () => startTransition(() => setWrites(writes + 1)));
  if (!all || !newest) return null; // as the list, which says why
  return (
    <dl>
      <dt>All clients</dt>
      <dd>{all.totalCount}</dd>
      <dt>Newest</dt>
      {newest.edges?.map((edge) => edge?.node && <dd key={edge.node.id}>{edge.node.name ?? edge.node.id}</dd>)}
    </dl>
  );
}

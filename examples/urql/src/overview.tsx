import { useQuery } from 'urql';
import { OverviewDocument } from './documents';
import { useLast } from './use-last';

/** How many clients there are, and the newest three: whatever the list beside it shows. */
export function Overview() {
  const [{ data }] = useQuery({ query: OverviewDocument });
  const all = useLast(data?.all);
  const newest = useLast(data?.newest);
  return (
    <section className="overview" aria-label="Overview">
      <p>{all && `${all.totalCount} in all, the newest:`}</p>
      <ol aria-label="Newest">
        {newest?.edges?.map((edge) => edge?.node && <li key={edge.node.id}>{edge.node.name}</li>)}
      </ol>
    </section>
  );
}

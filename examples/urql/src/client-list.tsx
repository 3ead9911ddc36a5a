import { useQuery } from 'urql';
import { ClientsDocument } from './documents';
import { Overview } from './overview';
import { Problem } from './problem';
import { addressOf } from './route';
import { useDebounced } from './use-debounced';
import { useLast } from './use-last';
import { whenSeen } from './when-seen';

interface Props {
  readonly text: string;
  readonly after: string | undefined;
  readonly open: string | undefined;
  readonly onFilter: (text: string) => void;
  readonly onMore: (after: string) => void;
}

export function ClientList({ text, after, open, onFilter, onMore }: Props) {
  const filter = useDebounced(text, 200);
  const [{ data, error, fetching }, execute] = useQuery({
    query: ClientsDocument,
    variables: { after: after ?? null, filter: filter === '' ? null : { text: filter } },
  });
  const clients = useLast(data?.clients);
  const rows = clients?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  const loadMore = () => onMore(clients?.pageInfo.endCursor ?? '');
  return (
    <section className="list" aria-labelledby="clients-title">
      <div className="bar">
        <h2 id="clients-title" tabIndex={-1}>
          Clients
        </h2>
        <a className="button primary" href={addressOf('new')}>
          New client
        </a>
      </div>
      <Overview />
      <div>
        <label htmlFor="filter">Filter by name</label>
        <input id="filter" type="search" value={text} onChange={({ target }) => onFilter(target.value)} />
      </div>
      <p className="hint" aria-live="polite">
        {clients ? `${rows.length} of ${clients.totalCount} clients` : fetching ? 'Loading …' : ''}
      </p>
      {error && <Problem error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />}
      <ul aria-label="Clients" aria-busy={fetching}>
        {rows.map(({ id, name, email }) => (
          <li key={id}>
            <a href={addressOf(id)} aria-current={id === open ? 'true' : undefined}>
              <span>{name ?? id}</span>
              <span className="hint">{email}</span>
            </a>
          </li>
        ))}
      </ul>
      {clients?.pageInfo.hasNextPage && (
        <button type="button" ref={whenSeen(loadMore)} aria-disabled={fetching} onClick={loadMore}>
          Load more
        </button>
      )}
    </section>
  );
}

import { useCallback } from 'react';
import { outcomeOf } from 'trivium-kits/outcome';
import { useMutation, useQuery } from 'urql';
import { ClientForm } from './client-form';
import { DeleteClient } from './delete-client';
import { ClientDocument, UpdateClientDocument } from './documents';
import type { ClientQuery } from './generated/graphql';
import { Panel } from './panel';
import { Problem } from './problem';
import { useAnnounce } from './status';
import { useLast } from './use-last';
import { usePolling } from './use-polling';

type Client = NonNullable<ClientQuery['client']>;

export function ClientPage({ id, onWritten }: { readonly id: string; readonly onWritten: () => void }) {
  const [{ data, error, fetching, stale, hasNext }, execute] = useQuery({ query: ClientDocument, variables: { id } });
  const readAgain = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  usePolling(readAgain, 60_000);
  const client = useLast(data?.client); // a poll that fails takes no form away
  const loading = fetching || stale || hasNext;
  const failed = error !== undefined || (client && !client.posts && !loading);
  return (
    <Panel title={client ? (client.name ?? client.id) : 'Client'}>
      {failed && <Problem error={error} onRetry={readAgain} />}
      {client && (
        <>
          <ChangeClient client={client} onWritten={onWritten} />
          <Posts posts={client.posts} loading={loading} />
          <DeleteClient client={client} onDeleted={onWritten} />
        </>
      )}
      {!client && !error && <p className="hint">{fetching ? 'Loading …' : 'There is no such client.'}</p>}
    </Panel>
  );
}

/** The form keeps its fields while the client is read again: a user loses nothing that they type. */
function ChangeClient({ client, onWritten }: { readonly client: Client; readonly onWritten: () => void }) {
  const [, updateClient] = useMutation(UpdateClientDocument);
  const announce = useAnnounce();
  return (
    <ClientForm
      client={client}
      label="Save changes"
      send={async (input) => outcomeOf(await updateClient({ id: client.id, input }))}
      onApplied={(changed) => {
        announce(`${changed?.name ?? 'The client'} was changed.`);
        onWritten();
      }}
    />
  );
}

/** The deferred part: it arrives after the client, and is missing until then, and when it could not be read. */
function Posts({ posts, loading }: { readonly posts: Client['posts'] | undefined; readonly loading: boolean }) {
  const rows = posts?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  return (
    <section aria-labelledby="posts-title" aria-busy={loading}>
      <h3 id="posts-title">Posts{posts && ` (${posts.totalCount})`}</h3>
      {!posts && <p className="hint">{loading ? 'Loading …' : 'They could not be read.'}</p>}
      {posts?.totalCount === 0 && <p className="hint">There are none.</p>}
      <ul className="posts">
        {rows.map(({ id, title, createdAt }) => (
          <li key={id}>
            <span>{title ?? id}</span>
            <time className="hint" dateTime={createdAt ?? undefined}>
              {createdAt?.slice(0, 10)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

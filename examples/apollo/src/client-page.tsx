import { useQuery } from '@apollo/client/react';
import type { ReactNode } from 'react';
import { ClientForm } from './client-form.tsx';
import { DeleteClient } from './delete-client.tsx';
import { clientPageDocument } from './documents.ts';
import type { ClientPostsFragment } from './generated/graphql.ts';
import { PaneTitle } from './pane-title.tsx';
import { Problem } from './problem.tsx';
import { useUpdateClient } from './writes.ts';

/** For a null that the cache has kept, without the error beside it. */
const unread = new Error('The posts could not be read.');

export function ClientPage({ id, onNews }: { id: string; onNews: (news: string) => void }) {
  const { data, previousData, error, loading, refetch } = useQuery(clientPageDocument, { variables: { id } });
  const updateClient = useUpdateClient();
  const retry = () => void refetch();
  const client = data?.client ?? (error || loading ? previousData?.client : null); // a failed retry takes no form away
  if (!client) {
    if (loading) return <p id="detail-title">Loading the client …</p>;
    return (
      <>
        <PaneTitle>{error ? 'The client could not be read' : 'There is no such client.'}</PaneTitle>
        <Problem error={error} onRetry={retry} />
      </>
    );
  }
  return (
    <>
      <PaneTitle>{client.name ?? 'No name'}</PaneTitle>
      <ClientForm
        client={client}
        submitLabel="Save"
        write={(input) => updateClient(id, input)}
        onWritten={({ name }) => onNews(`${name} was changed.`)}
      />
      <Posts posts={client.posts} loading={loading} problem={<Problem error={error ?? unread} onRetry={retry} />} />
      <DeleteClient client={client} onNews={onNews} />
    </>
  );
}

/** The deferred part of the page: undefined until it arrives, null when it could not be read. */
type Posts = ClientPostsFragment['posts'] | undefined;

function Posts({ posts, loading, problem }: { posts: Posts; loading: boolean; problem: ReactNode }) {
  return (
    <section className="posts" aria-labelledby="posts-title" aria-busy={loading}>
      <h3 id="posts-title">Posts{posts && ` (${posts.totalCount})`}</h3>
      {!posts && (loading ? <p>Loading the posts …</p> : problem)}
      <ul>{posts?.edges?.map((edge) => edge?.node && <li key={edge.node.id}>{edge.node.title}</li>)}</ul>
    </section>
  );
}

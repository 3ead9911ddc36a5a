import { useQuery } from '@apollo/client/react';
import { ClientForm } from './client-form.tsx';
import { DeleteClient } from './delete-client.tsx';
import { clientPageDocument } from './documents.ts';
import type { ClientInput, ClientPostsFragment } from './generated/graphql.ts';
import { PaneTitle } from './pane-title.tsx';
import { useUpdateClient } from './writes.ts';

export function ClientPage({ id, onNews }: { id: string; onNews: (news: string) => void }) {
  const { data, error, loading } = useQuery(clientPageDocument, { variables: { id } });
  const updateClient = useUpdateClient();
  const save = async (input: ClientInput) => {
    const result = await updateClient(id, input);
    if (result.outcome !== 'APPLIED') return result.problem;
    onNews(`${input.name} was changed.`);
    return null;
  };

  const client = data?.client;
  if (!client) {
    if (loading) return <p id="detail-title">Loading the client …</p>;
    return <PaneTitle>{error?.message ?? 'There is no such client.'}</PaneTitle>;
  }
  return (
    <>
      <PaneTitle>{client.name ?? 'No name'}</PaneTitle>
      <ClientForm client={client} submitLabel="Save" save={save} />
      <Posts posts={client.posts} />
      <DeleteClient id={id} name={client.name ?? ''} onNews={onNews} />
    </>
  );
}

/** The deferred part of the page: undefined until it arrives, null when it could not be read. */
function Posts({ posts }: { posts: ClientPostsFragment['posts'] | undefined }) {
  return (
    <section className="posts" aria-labelledby="posts-title" aria-busy={posts === undefined}>
      <h3 id="posts-title">Posts{posts && ` (${posts.totalCount})`}</h3>
      {posts === undefined && <p>Loading the posts …</p>}
      {posts === null && <p className="refused">The posts could not be read.</p>}
      <ul>{posts?.edges?.map((edge) => edge?.node && <li key={edge.node.id}>{edge.node.title}</li>)}</ul>
    </section>
  );
}

import { Suspense } from 'react';
import { useFragment, useLazyLoadQuery } from 'react-relay';
import postsFragment, { type clientView_posts$key } from './__generated__/clientView_posts.graphql.ts';
import viewQuery, { type clientViewQuery } from './__generated__/clientViewQuery.graphql.ts';
import { Problem, useRetry } from './problem.tsx';

export function ClientView({ id }: { readonly id: string }) {
  const { options, retry } = useRetry();
  const { client } = useLazyLoadQuery<clientViewQuery>(viewQuery, { id }, options);
  if (!client.ok) return <Problem message="The client could not be read." onRetry={retry} />;
  if (!client.value) return <p>There is no such client.</p>;
  return (
    <>
      <h1>{client.value.name}</h1>
      <Suspense fallback={<p>Loading the posts …</p>}>
        <Posts client={client.value} onRetry={retry} />
      </Suspense>
    </>
  );
}

/** The deferred part: it suspends until it has come, and is null when it could not be read. */
function Posts({ client, onRetry }: { readonly client: clientView_posts$key; readonly onRetry: () => void }) {
  const { posts } = useFragment(postsFragment, client);
  if (!posts) return <Problem message="The posts could not be read." onRetry={onRetry} />;
  return (
    <>
      <h2>Posts ({posts.totalCount})</h2>
      <ul>{posts.edges?.map((edge) => edge?.node && <li key={edge.node.id}>{edge.node.title}</li>)}</ul>
    </>
  );
}

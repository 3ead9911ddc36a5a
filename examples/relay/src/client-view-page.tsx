import { Suspense, useState } from 'react';
import { useFragment, useLazyLoadQuery, useRelayEnvironment } from 'react-relay';
import type { Outcome } from 'trivium-kits/outcome';
import postsFragment, { type clientView_posts$key } from './__generated__/clientView_posts.graphql.ts';
import viewQuery, { type clientViewQuery } from './__generated__/clientViewQuery.graphql.ts';
import { ClientForm, OutcomeMessage } from './client-form.tsx';
import { Problem, useRetry } from './problem.tsx';
import { deleteClient, updateClient } from './writes.ts';

export function ClientView({ id, attempt }: { readonly id: string; readonly attempt: number }) {
  const environment = useRelayEnvironment();
  const { options, retry } = useRetry(attempt);
  const { client } = useLazyLoadQuery<clientViewQuery>(viewQuery, { id }, options);
  if (!client.ok) return <Problem title="Client" message="The client could not be read." onRetry={retry} />;
  if (!client.value) return <h1>There is no such client.</h1>;
  return (
    <>
      <h1>{client.value.name}</h1>
      <ClientForm client={client.value} label="Save changes" send={(input) => updateClient(environment, id, input)} />
      <Suspense fallback={<p>Loading the posts …</p>}>
        <Posts client={client.value} onRetry={retry} />
      </Suspense>
      <DeleteClient id={client.value.id} />
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

function DeleteClient({ id }: { readonly id: string }) {
  const environment = useRelayEnvironment();
  const [outcome, setOutcome] = useState<Outcome<unknown>>();
  const [isAsked, setIsAsked] = useState(false);
  const send = async () => {
    const outcome = await deleteClient(environment, id);
    setOutcome(outcome);
    if (outcome.outcome === 'APPLIED' && location.hash === `#/${id}`) location.hash = '#/';
  };
  return (
    <>
      <OutcomeMessage outcome={outcome} />
      <button type="button" onClick={() => setIsAsked(!isAsked)}>
        {isAsked ? 'Keep' : 'Delete …'}
      </button>
      {isAsked && (
        <button type="button" onClick={() => void send()}>
          Delete for good
        </button>
      )}
    </>
  );
}

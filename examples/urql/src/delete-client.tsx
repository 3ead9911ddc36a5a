import { useState } from 'react';
import { type NotApplied, outcomeOf } from 'trivium-kits/outcome';
import { useMutation } from 'urql';
import { ProblemMessage } from './client-form';
import { DeleteClientDocument } from './documents';
import type { ClientRowFragment } from './generated/graphql';
import { addressOf, goTo } from './route';
import { useAnnounce } from './status';

/** Asks once more before it deletes. */
export function DeleteClient({ client, onDeleted }: { client: ClientRowFragment; onDeleted: () => void }) {
  const [{ fetching }, deleteClient] = useMutation(DeleteClientDocument);
  const [asked, setAsked] = useState(false);
  const [problem, setProblem] = useState<NotApplied>();
  const announce = useAnnounce();

  const send = async () => {
    const outcome = outcomeOf(await deleteClient({ id: client.id }));
    if (outcome.outcome !== 'APPLIED') return setProblem(outcome);
    announce(`${client.name ?? 'The client'} was deleted.`);
    onDeleted();
    if (location.hash === addressOf(client.id)) goTo();
    document.getElementById('clients-title')?.focus(); // this page, and the focus with it, goes away
  };

  return (
    <section className="delete" aria-label="Delete this client">
      <ProblemMessage problem={problem} />
      {asked ? (
        <p role="group" aria-label={`Delete ${client.name ?? client.id}?`}>
          <button
            type="button"
            className="danger"
            autoFocus
            aria-disabled={fetching}
            onClick={() => void (fetching || send())}
          >
            Delete for good
          </button>
          <button type="button" onClick={() => setAsked(false)}>
            Keep
          </button>
        </p>
      ) : (
        <button type="button" onClick={() => setAsked(true)}>
          Delete …
        </button>
      )}
    </section>
  );
}

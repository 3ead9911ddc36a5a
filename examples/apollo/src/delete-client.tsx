import { useRef, useState } from 'react';
import type { ClientFieldsFragment } from './generated/graphql.ts';
import { clientPath, goTo } from './route.ts';
import { explain, useDeleteClient } from './writes.ts';

/** Deletes the client, after a question. */
export function DeleteClient({ client, onNews }: { client: ClientFieldsFragment; onNews: (news: string) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [refused, setRefused] = useState('');
  const deleteClient = useDeleteClient();
  const name = client.name ?? '';

  const confirm = async () => {
    dialog.current?.close();
    const result = await deleteClient(client.id);
    if (result.outcome !== 'APPLIED') return setRefused(explain(result));
    onNews(`${name} was deleted.`);
    if (location.hash === clientPath(client.id)) goTo('#/clients');
  };

  return (
    <>
      <button type="button" className="danger" onClick={() => dialog.current?.showModal()}>
        Delete …
      </button>
      <p role="alert" className="refused">
        {refused}
      </p>
      <dialog ref={dialog} aria-labelledby="delete-title">
        <h3 id="delete-title">Delete {name}?</h3>
        <div className="choice">
          <button type="button" className="quiet" onClick={() => dialog.current?.close()}>
            Keep
          </button>
          <button type="button" className="danger" onClick={() => void confirm()}>
            Delete
          </button>
        </div>
      </dialog>
    </>
  );
}

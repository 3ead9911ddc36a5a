import { useState } from 'react';
import { ClientList } from './client-list';
import { ClientPage } from './client-page';
import { NewClient } from './new-client';

/** The list of clients, and beside it the one that is open. */
export function Clients({ open }: { readonly open: string | undefined }) {
  const [text, setText] = useState('');
  const [after, setAfter] = useState<string>();
  const filter = (text: string) => {
    setText(text);
    setAfter(undefined);
  };
  return (
    <div className={open === undefined ? 'clients' : 'clients has-open'}>
      <ClientList text={text} after={after} open={open} onFilter={filter} onMore={setAfter} />
      {open === 'new' && <NewClient onCreated={() => filter('')} />}
      {open !== undefined && open !== 'new' && (
        <ClientPage key={open} id={open} onWritten={() => setAfter(undefined)} />
      )}
    </div>
  );
}

import { ClientForm } from './client-form.tsx';
import type { ClientFieldsFragment, ClientInput } from './generated/graphql.ts';
import { PaneTitle } from './pane-title.tsx';
import { clientPath, goTo } from './route.ts';
import { useCreateClient } from './writes.ts';

export function NewClient({ onNews }: { onNews: (news: string) => void }) {
  const createClient = useCreateClient();
  const show = ({ name }: ClientInput, client: ClientFieldsFragment | null) => {
    onNews(`${name} was created.`);
    if (location.hash === '#/clients/new') goTo(client ? clientPath(client.id) : '#/clients');
  };
  return (
    <>
      <PaneTitle>New client</PaneTitle>
      <ClientForm submitLabel="Create" write={createClient} onWritten={show} />
    </>
  );
}

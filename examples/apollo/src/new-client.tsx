import { ClientForm } from './client-form.tsx';
import type { ClientInput } from './generated/graphql.ts';
import { PaneTitle } from './pane-title.tsx';
import { clientPath, goTo } from './route.ts';
import { useCreateClient } from './writes.ts';

export function NewClient({ onNews }: { onNews: (news: string) => void }) {
  const createClient = useCreateClient();
  const save = async (input: ClientInput) => {
    const result = await createClient(input);
    if (result.outcome !== 'APPLIED') return result;
    onNews(`${input.name} was created.`);
    goTo(result.record ? clientPath(result.record.id) : '#/clients');
    return null;
  };
  return (
    <>
      <PaneTitle>New client</PaneTitle>
      <ClientForm submitLabel="Create" save={save} />
    </>
  );
}

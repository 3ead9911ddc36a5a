import { outcomeOf } from 'trivium-kits/outcome';
import { useMutation } from 'urql';
import { ClientForm } from './client-form';
import { CreateClientDocument } from './documents';
import { Panel } from './panel';
import { addressOf, goTo } from './route';
import { useAnnounce } from './status';

export function NewClient({ onCreated }: { readonly onCreated: () => void }) {
  const [, createClient] = useMutation(CreateClientDocument);
  const announce = useAnnounce();
  return (
    <Panel title="New client">
      <ClientForm
        label="Create client"
        send={async (input) => outcomeOf(await createClient({ input }))}
        onApplied={(client) => {
          announce(`${client?.name ?? 'The client'} was created.`);
          onCreated();
          if (location.hash === addressOf('new')) goTo(client?.id);
        }}
      />
    </Panel>
  );
}

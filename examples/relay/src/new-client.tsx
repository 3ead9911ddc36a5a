import { useRelayEnvironment } from 'react-relay';
import { ClientForm } from './client-form.tsx';
import { createClient } from './writes.ts';

export function NewClient() {
  const environment = useRelayEnvironment();
  return (
    <>
      <h1>New client</h1>
      <ClientForm
        client={null}
        label="Create client"
        send={async (input) => {
          const outcome = await createClient(environment, input);
          if (outcome.outcome === 'APPLIED' && location.hash === '#/new') location.hash = '#/';
          return outcome;
        }}
      />
    </>
  );
}

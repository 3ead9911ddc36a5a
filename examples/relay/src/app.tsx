import { Suspense, useMemo, useState, useSyncExternalStore } from 'react';
import { RelayEnvironmentProvider } from 'react-relay';
import { ClientList } from './client-list-page.tsx';
import { ClientView } from './client-view-page.tsx';
import { createEnvironment } from './environment.ts';
import { RenewToken } from './renew-token.tsx';
import { Session } from './session.ts';

/** The list of clients at `#/`, one client at `#/Client:1`, and a page that reads nothing at `#/help`. */
export function App({ endpoint }: { readonly endpoint: string }) {
  const [session, setSession] = useState<Session>();
  const environment = useMemo(() => session && createEnvironment(endpoint, session), [endpoint, session]);
  if (!session || !environment) return <Login onLogin={(token) => setSession(new Session(token))} />;
  return (
    <RelayEnvironmentProvider environment={environment}>
      <nav>
        <a href="#/">Clients</a> <a href="#/help">Help</a>
      </nav>
      <main>
        <Page />
      </main>
      <RenewToken session={session} onLogout={() => setSession(undefined)} />
    </RelayEnvironmentProvider>
  );
}

function Page() {
  const id = useSyncExternalStore(onHashChange, () => location.hash.slice('#/'.length));
  if (id === 'help') return <p>The clients are those of the CRM.</p>;
  return (
    <Suspense fallback={<p>Loading …</p>}>{id === '' ? <ClientList /> : <ClientView key={id} id={id} />}</Suspense>
  );
}

function onHashChange(changed: () => void) {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}

function Login({ onLogin }: { readonly onLogin: (token: string) => void }) {
  const [token, setToken] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onLogin(token);
      }}
    >
      <label>
        API token <input value={token} autoComplete="off" onChange={({ target }) => setToken(target.value)} />
      </label>
      <button>Log in</button>
    </form>
  );
}

import { Suspense, useMemo, useState, useSyncExternalStore } from 'react';
import { RelayEnvironmentProvider } from 'react-relay';
import { connect } from 'trivium-kits/relay';
import { ClientList } from './client-list-page.tsx';
import { ClientView } from './client-view-page.tsx';
import { NewClient } from './new-client.tsx';
import { RenewToken } from './renew-token.tsx';

/** The list of clients at `#/`, one client at `#/Client:1`, a new one at `#/new`, and a page that reads nothing at `#/help`. */
export function App({ endpoint }: { readonly endpoint: string }) {
  const [user, setUser] = useState<string>(); // the token of the login: each user has an environment, with a store of its own
  const [waiting, setWaiting] = useState<{ readonly goOn: (token: string) => void }>(); // requests whose token was refused
  const environment = useMemo(() => {
    if (user === undefined) return undefined;
    let token = user;
    const renew = async () => {
      token = await new Promise<string>((resolve) => setWaiting({ goOn: resolve }));
      setWaiting(undefined);
    };
    return connect({ url: endpoint, credentials: () => ({ token }), renew });
  }, [endpoint, user]);

  if (!environment) return <Login onLogin={setUser} />;
  const logout = () => {
    setUser(undefined);
    setWaiting(undefined);
  };
  return (
    <RelayEnvironmentProvider environment={environment}>
      <nav>
        <a href="#/">Clients</a> <a href="#/new">New client</a> <a href="#/help">Help</a>
      </nav>
      <main>
        <Page />
      </main>
      <RenewToken isRefused={waiting !== undefined} onRenew={(token) => waiting?.goOn(token)} onLogout={logout} />
    </RelayEnvironmentProvider>
  );
}

function Page() {
  const id = useSyncExternalStore(onHashChange, () => location.hash.slice('#/'.length));
  if (id === 'help') return <p>The clients are those of the CRM.</p>;
  if (id === 'new') return <NewClient />;
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

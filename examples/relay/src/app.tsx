import { Suspense, useMemo, useState, useSyncExternalStore } from 'react';
import { RelayEnvironmentProvider } from 'react-relay';
import { Session } from 'trivium-kits/connection';
import { connect } from 'trivium-kits/relay';
import { ClientList } from './client-list-page.tsx';
import { ClientView } from './client-view-page.tsx';
import { NewClient } from './new-client.tsx';
import { Unanswered } from './problem.tsx';
import { RenewToken } from './renew-token.tsx';

/** The list of clients at `#/`, one client at `#/Client:1`, a new one at `#/new`, and a page that reads nothing at `#/help`. */
export function App({ endpoint }: { readonly endpoint: string }) {
  const [token, setToken] = useState<string>(); // of the login: each user has an environment, with a store of its own
  const [isRefused, setIsRefused] = useState(false); // requests wait for another token
  const user = useMemo(() => {
    if (token === undefined) return undefined;
    const session = new Session({ token }, () => setIsRefused(true));
    return { session, environment: connect({ url: endpoint, ...session }) };
  }, [endpoint, token]);

  if (!user) {
    return (
      <main>
        <h1>Log in</h1>
        <Login onLogin={setToken} />
      </main>
    );
  }
  const renew = (token: string) => {
    setIsRefused(false);
    user.session.goOn({ token });
  };
  const logout = () => {
    user.session.end();
    setToken(undefined);
    setIsRefused(false);
  };
  return (
    <RelayEnvironmentProvider environment={user.environment}>
      <nav>
        <a href="#/">Clients</a> <a href="#/new">New client</a> <a href="#/help">Help</a>{' '}
        <button type="button" onClick={logout}>
          Log out
        </button>
      </nav>
      <main>
        <Page />
      </main>
      <RenewToken isRefused={isRefused} onRenew={renew} onLogout={logout} />
    </RelayEnvironmentProvider>
  );
}

function Page() {
  const id = useSyncExternalStore(onHashChange, () => location.hash.slice('#/'.length));
  if (id === 'help') return <Help />;
  if (id === 'new') return <NewClient />;
  return (
    <Unanswered key={id}>
      {(attempt) => (
        <Suspense fallback={<p>Loading …</p>}>
          {id === '' ? <ClientList attempt={attempt} /> : <ClientView id={id} attempt={attempt} />}
        </Suspense>
      )}
    </Unanswered>
  );
}

function Help() {
  return (
    <>
      <h1>Help</h1>
      <p>The clients are those of the CRM.</p>
    </>
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

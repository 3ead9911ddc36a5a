import { ApolloProvider } from '@apollo/client/react';
import { useMemo, useState } from 'react';
import { connect } from './client.ts';
import { ClientList } from './client-list.tsx';
import { ClientPage } from './client-page.tsx';
import { Login } from './login.tsx';
import { NewClient } from './new-client.tsx';
import { Products } from './products.tsx';
import { RenewToken } from './renew-token.tsx';
import { goTo, type Route, useRoute } from './route.ts';
import { forgetToken, keepToken, readToken, Session } from './session.ts';

export function App() {
  const [session, setSession] = useState(sessionOfTab);
  const client = useMemo(() => session && connect(session), [session]);

  const login = (token: string) => {
    keepToken(token);
    setSession(new Session(token));
  };
  const renew = (token: string) => {
    keepToken(token);
    session?.renew(token);
  };
  const logout = () => {
    forgetToken();
    client?.stop();
    setSession(null);
    goTo('#/clients');
  };

  if (!session || !client) return <Login onLogin={login} />;
  return (
    <ApolloProvider client={client}>
      <Pages onLogout={logout} />
      <RenewToken session={session} onRenew={renew} onLogout={logout} />
    </ApolloProvider>
  );
}

function sessionOfTab(): Session | null {
  const token = readToken();
  return token === null ? null : new Session(token);
}

function Pages({ onLogout }: { onLogout: () => void }) {
  const route = useRoute();
  const [news, setNews] = useState('');
  const inProducts = route.view === 'products';
  return (
    <>
      <header className="top">
        <h1>Workshop</h1>
        <nav aria-label="Pages">
          <a href="#/clients" aria-current={inProducts ? undefined : 'page'}>
            Clients
          </a>
          <a href="#/products" aria-current={inProducts ? 'page' : undefined}>
            Products
          </a>
        </nav>
        <button type="button" className="quiet" onClick={onLogout}>
          Log out
        </button>
      </header>
      <p role="status" className="news">
        {news}
      </p>
      {inProducts ? <Products /> : <Clients route={route} onNews={setNews} />}
    </>
  );
}

/** The list, and beside it one client or the form for a new one. A narrow window shows one of the two. */
function Clients({ route, onNews }: { route: Route; onNews: (news: string) => void }) {
  return (
    <main className={route.view === 'clients' ? 'panes' : 'panes opened'}>
      <ClientList selected={route.view === 'client' ? route.id : null} />
      <section className="detail" aria-labelledby="detail-title">
        {route.view === 'clients' && (
          <h2 id="detail-title" className="hint">
            Choose a client.
          </h2>
        )}
        {route.view === 'new' && <NewClient onNews={onNews} />}
        {route.view === 'client' && <ClientPage key={route.id} id={route.id} onNews={onNews} />}
      </section>
    </main>
  );
}

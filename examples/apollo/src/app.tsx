import { ApolloProvider } from '@apollo/client/react';
import { useMemo, useState } from 'react';
import { connect } from 'trivium-kits/apollo';
import { Session } from 'trivium-kits/connection';
import { ClientList } from './client-list.tsx';
import { ClientPage } from './client-page.tsx';
import { Login } from './login.tsx';
import { NewClient } from './new-client.tsx';
import { NewestClients } from './newest-clients.tsx';
import { Products } from './products.tsx';
import { RenewToken } from './renew-token.tsx';
import { goTo, useRoute } from './route.ts';
import { forgetToken, keepToken, readToken } from './session.ts';

const url = import.meta.env.VITE_ENDPOINT ?? 'http://127.0.0.1:4000/graphql';

/** A client whose requests have the token of its own user, also when somebody else has logged in since then. */
function open(token: string, onRefused: () => void) {
  const session = new Session({ token }, onRefused);
  return { session, client: connect({ url, ...session }) };
}

export function App() {
  const [token, setToken] = useState(readToken); // of the login: each user has a client, with a cache of its own
  const [isRefused, setIsRefused] = useState(false); // requests wait for another token
  const user = useMemo(() => (token === null ? null : open(token, () => setIsRefused(true))), [token]);

  const login = (token: string) => {
    keepToken(token);
    setToken(token);
  };
  const renew = (token: string) => {
    keepToken(token);
    setIsRefused(false);
    user?.session.goOn({ token });
  };
  const logout = () => {
    forgetToken();
    user?.session.end();
    user?.client.stop();
    setToken(null);
    setIsRefused(false);
    goTo('#/clients');
  };

  if (!user) return <Login onLogin={login} />;
  return (
    <ApolloProvider client={user.client}>
      <Pages onLogout={logout} />
      <RenewToken isRefused={isRefused} onRenew={renew} onLogout={logout} />
    </ApolloProvider>
  );
}

function Pages({ onLogout }: { onLogout: () => void }) {
  const { view, id } = useRoute();
  const [news, setNews] = useState('');
  const inProducts = view === 'products';
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
      {inProducts ? <Products /> : <Clients id={id} onNews={setNews} />}
    </>
  );
}

/** The list, and beside it one client or the form for a new one. A narrow window shows one of the two. */
function Clients({ id, onNews }: { id: string | undefined; onNews: (news: string) => void }) {
  return (
    <main className={id ? 'panes opened' : 'panes'}>
      <NewestClients />
      <ClientList selected={id} />
      <section className="detail" aria-labelledby="detail-title">
        {!id && (
          <h2 id="detail-title" className="hint">
            Choose a client.
          </h2>
        )}
        {id === 'new' && <NewClient onNews={onNews} />}
        {id && id !== 'new' && <ClientPage key={id} id={id} onNews={onNews} />}
      </section>
    </main>
  );
}

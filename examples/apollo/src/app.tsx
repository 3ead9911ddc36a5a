import { ApolloProvider } from '@apollo/client/react';
import { useMemo, useState } from 'react';
import { connect } from 'trivium-kits/apollo';
import { ClientList } from './client-list.tsx';
import { ClientPage } from './client-page.tsx';
import { Login } from './login.tsx';
import { NewClient } from './new-client.tsx';
import { Products } from './products.tsx';
import { RenewToken } from './renew-token.tsx';
import { goTo, type Route, useRoute } from './route.ts';
import { forgetToken, keepToken, readToken } from './session.ts';

const url = import.meta.env.VITE_ENDPOINT ?? 'http://127.0.0.1:4000/graphql';

/**
 * A client whose requests have the token of its own user, also when somebody else has logged in since then.
 *
 * @param ask called when the token is refused, with the function that takes another one
 */
function open(token: string, ask: (goOn: (token: string) => void) => void) {
  let current = token;
  let isOver = false;
  const renew = () =>
    new Promise<void>((resolve, reject) => {
      if (isOver) return reject(new Error('The user has logged out.'));
      ask((next) => resolve(void (current = next)));
    });
  const client = connect({ url, credentials: () => ({ token: current }), renew });
  const end = () => {
    isOver = true;
    client.stop();
  };
  return { client, end };
}

export function App() {
  const [user, setUser] = useState(readToken); // the token of the login: each user has a client, with a cache of its own
  const [goOn, setGoOn] = useState<{ with: (token: string) => void } | null>(null); // while requests wait for another token
  const session = useMemo(() => (user === null ? null : open(user, (goOn) => setGoOn({ with: goOn }))), [user]);

  const login = (token: string) => {
    keepToken(token);
    setUser(token);
  };
  const renew = (token: string) => {
    keepToken(token);
    goOn?.with(token);
    setGoOn(null);
  };
  const logout = () => {
    forgetToken();
    session?.end();
    setUser(null);
    setGoOn(null);
    goTo('#/clients');
  };

  if (!session) return <Login onLogin={login} />;
  return (
    <ApolloProvider client={session.client}>
      <Pages onLogout={logout} />
      <RenewToken isRefused={goOn !== null} onRenew={renew} onLogout={logout} />
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
function Clients({ id, onNews }: { id: Route['id']; onNews: (news: string) => void }) {
  return (
    <main className={id ? 'panes opened' : 'panes'}>
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

import { useMemo, useState } from 'react';
import { Session } from 'trivium-kits/connection';
import { connect } from 'trivium-kits/urql';
import { type Exchange, Provider } from 'urql';
import { newCache } from './cache';
import { Clients } from './clients';
import { Login } from './login';
import { ProductSearch } from './product-search';
import { RenewToken } from './renew-token';
import { useRoute } from './route';
import { StatusProvider } from './status';

const url: string = import.meta.env['VITE_ENDPOINT'] ?? 'http://127.0.0.1:4000/graphql';

export function App({ cache = newCache }: { readonly cache?: () => Exchange }) {
  const [token, setToken] = useState<string>(); // of the login: each user has a client, with a cache of its own
  const [isRefused, setIsRefused] = useState(false); // requests wait for another token
  const user = useMemo(() => {
    if (token === undefined) return undefined;
    const session = new Session({ token }, () => setIsRefused(true));
    return { session, client: connect({ url, ...session }, cache()) };
  }, [token, cache]);

  if (!user) return <Login onLogin={setToken} />;
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
    <Provider value={user.client}>
      <StatusProvider>
        <Pages onLogout={logout} />
        <RenewToken isRefused={isRefused} onRenew={renew} onLogout={logout} />
      </StatusProvider>
    </Provider>
  );
}

function Pages({ onLogout }: { readonly onLogout: () => void }) {
  const route = useRoute();
  const current = (page: string) => (route.page === page ? 'page' : undefined);
  return (
    <>
      <header>
        <h1>
          trivium<span> with urql</span>
        </h1>
        <nav aria-label="Pages">
          <a href="#/clients" aria-current={current('clients')}>
            Clients
          </a>
          <a href="#/products" aria-current={current('products')}>
            Products
          </a>
        </nav>
        <button type="button" onClick={onLogout}>
          Log out
        </button>
      </header>
      <main>{route.page === 'products' ? <ProductSearch /> : <Clients open={route.open} />}</main>
    </>
  );
}

import { useMemo, useState } from 'react';
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

interface Props {
  readonly cache?: () => Exchange;
}

export function App({ cache = newCache }: Props) {
  const [user, setUser] = useState<string>(); // the token of the login: each user has a client, with a cache of its own
  const [waiting, setWaiting] = useState<{ readonly goOn: (token: string) => void }>(); // requests whose token was refused
  const client = useMemo(() => {
    if (user === undefined) return undefined;
    let token = user;
    const renew = async () => {
      token = await new Promise<string>((resolve) => setWaiting({ goOn: resolve }));
      setWaiting(undefined);
    };
    return connect({ url, credentials: () => ({ token }), renew }, cache());
  }, [user, cache]);

  if (!client) return <Login onLogin={setUser} />;
  const logout = () => {
    setUser(undefined);
    setWaiting(undefined);
  };
  return (
    <Provider value={client}>
      <StatusProvider>
        <Pages onLogout={logout} />
        <RenewToken isRefused={waiting !== undefined} onRenew={(token) => waiting?.goOn(token)} onLogout={logout} />
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

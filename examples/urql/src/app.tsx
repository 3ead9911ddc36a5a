import { useMemo, useState } from 'react';
import { type Client, Provider } from 'urql';
import { connect } from './client';
import { Clients } from './clients';
import { Login } from './login';
import { ProductSearch } from './product-search';
import { RenewToken } from './renew-token';
import { useRoute } from './route';
import { Session } from './session';
import { StatusProvider } from './status';

interface Props {
  readonly connectTo?: (session: Session) => Client;
}

export function App({ connectTo = connect }: Props) {
  const [session, setSession] = useState<Session>();
  const client = useMemo(() => session && connectTo(session), [session, connectTo]);
  if (!session || !client) return <Login onLogin={(token) => setSession(new Session(token))} />;
  const logout = () => setSession(undefined);
  return (
    <Provider value={client}>
      <StatusProvider>
        <Pages onLogout={logout} />
        <RenewToken session={session} onLogout={logout} />
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
        <strong>
          trivium<span> with urql</span>
        </strong>
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

import { useMemo, useState } from 'react';
import { Provider } from 'urql';
import { connect } from './client';
import { Clients } from './clients';
import { Login } from './login';
import { ProductSearch } from './product-search';
import { useRoute } from './route';
import { StatusProvider } from './status';

export function App() {
  const [token, setToken] = useState<string>();
  const client = useMemo(() => (token === undefined ? undefined : connect(token)), [token]);
  if (!client) return <Login onLogin={setToken} />;
  return (
    <Provider value={client}>
      <StatusProvider>
        <Pages onLogout={() => setToken(undefined)} />
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

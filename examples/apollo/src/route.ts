import { useSyncExternalStore } from 'react';

export type Route =
  | { readonly view: 'clients' | 'new' | 'products' }
  | { readonly view: 'client'; readonly id: string };

/** Address of the page of a client. */
export const clientPath = (id: string) => `#/clients/${encodeURIComponent(id)}`;

export const goTo = (path: string) => {
  location.hash = path;
};

/** The view that the address names. */
export function useRoute(): Route {
  return routeOf(useSyncExternalStore(listen, () => location.hash));
}

function listen(changed: () => void) {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}

function routeOf(hash: string): Route {
  const [, view, id] = hash.split('/');
  if (view === 'products') return { view };
  if (id === 'new') return { view: 'new' };
  return id ? { view: 'client', id: decodeURIComponent(id) } : { view: 'clients' };
}

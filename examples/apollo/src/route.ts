import { useSyncExternalStore } from 'react';

export interface Route {
  readonly view: 'clients' | 'products';
  /** A client's id; `new` is the form of a new one. */
  readonly id: string | undefined;
}

/** Address of the page of a client. */
export const clientPath = (id: string) => `#/clients/${encodeURIComponent(id)}`;

export const goTo = (path: string) => {
  location.hash = path;
};

/** The view that the address names. */
export function useRoute(): Route {
  const [, view, id] = useSyncExternalStore(listen, () => location.hash).split('/');
  return { view: view === 'products' ? view : 'clients', id: id && decodeURIComponent(id) };
}

function listen(changed: () => void) {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}

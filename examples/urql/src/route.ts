import { useSyncExternalStore } from 'react';

export interface Route {
  readonly page: 'clients' | 'products';
  /** Of the page of clients: the global id of the open client, or `new`. */
  readonly open: string | undefined;
}

const subscribe = (changed: () => void) => {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
};

/** The page that the address names: `#/clients`, `#/clients/new`, `#/clients/Client:1` or `#/products`. */
export function useRoute(): Route {
  const [, page, open] = useSyncExternalStore(subscribe, () => location.hash).split('/');
  return { page: page === 'products' ? 'products' : 'clients', open: open && decodeURIComponent(open) };
}

export const addressOf = (open?: string) =>
  open === undefined ? '#/clients' : `#/clients/${encodeURIComponent(open)}`;

export function goTo(open?: string): void {
  location.hash = addressOf(open);
}

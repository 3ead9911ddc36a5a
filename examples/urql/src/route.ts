import { useSyncExternalStore } from 'react';

const subscribe = (changed: () => void) => {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
};

/** The page that the address names: `#/products`, `#/clients`, and there the `open` one, such as `Client:1`, or `new`. */
export function useRoute() {
  const [, page, open] = useSyncExternalStore(subscribe, () => location.hash).split('/');
  return { page: page ?? 'clients', open: open && decodeURIComponent(open) };
}

export const addressOf = (open?: string) =>
  open === undefined ? '#/clients' : `#/clients/${encodeURIComponent(open)}`;

export const goTo = (open?: string) => void (location.hash = addressOf(open));

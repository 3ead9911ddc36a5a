import { useSyncExternalStore } from 'react';

/** Address of the page of a client. */
export const clientPath = (id: string) => `#/clients/${encodeURIComponent(id)}`;

export const goTo = (path: string) => void (location.hash = path);

/** The view that the address names; in that of the clients, the `id` of one of them, or `new` for the form of a new one. */
export function useRoute() {
  const [, view, id] = useSyncExternalStore(listen, () => location.hash).split('/');
  return { view, id: id && decodeURIComponent(id) };
}

function listen(changed: () => void) {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}

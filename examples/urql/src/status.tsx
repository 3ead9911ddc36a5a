import { createContext, type ReactNode, useContext, useState } from 'react';

const Announce = createContext<(message: string) => void>(() => undefined);

/** Tells the outcome of what the user did, to the eye and to a screen reader. */
export function StatusProvider({ children }: { readonly children: ReactNode }) {
  const [message, setMessage] = useState('');
  return (
    <Announce value={setMessage}>
      {children}
      <p role="status">{message}</p>
    </Announce>
  );
}

export const useAnnounce = () => useContext(Announce);

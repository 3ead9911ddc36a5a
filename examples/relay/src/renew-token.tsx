import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Session } from './session.ts';

interface Props {
  readonly session: Session;
  readonly onLogout: () => void;
}

/** Asks for a new token when that of the session was refused. The page behind it stays as it is. */
export function RenewToken({ session, onLogout }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const refused = useSyncExternalStore(session.listen, session.isRefused);
  useEffect(() => (refused ? dialog.current?.showModal() : dialog.current?.close()), [refused]);
  return (
    <dialog ref={dialog} aria-labelledby="renew-title" onClose={() => refused && dialog.current?.showModal()}>
      <h2 id="renew-title">The token was refused</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          session.renew(String(new FormData(event.currentTarget).get('token')).trim());
          event.currentTarget.reset();
        }}
      >
        <label>
          New API token <input name="token" required autoComplete="off" spellCheck={false} />
        </label>
        <button>Go on</button>
        <button type="button" onClick={onLogout}>
          Log out
        </button>
      </form>
    </dialog>
  );
}

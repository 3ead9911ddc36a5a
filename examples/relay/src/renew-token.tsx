import { useEffect, useRef } from 'react';

interface Props {
  /** Whether requests wait for a new token. */
  readonly isRefused: boolean;
  readonly onRenew: (token: string) => void;
  readonly onLogout: () => void;
}

/** Asks for a new token when that of the session was refused. The page behind it stays as it is. */
export function RenewToken({ isRefused, onRenew, onLogout }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => (isRefused ? dialog.current?.showModal() : dialog.current?.close()), [isRefused]);
  return (
    <dialog ref={dialog} aria-labelledby="renew-title" onClose={() => isRefused && dialog.current?.showModal()}>
      <h2 id="renew-title">The token was refused</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onRenew(String(new FormData(event.currentTarget).get('token')).trim());
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

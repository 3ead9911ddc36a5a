import type { FormEvent } from 'react';

/** Asks for the token of the account. During development it is filled in for the sandbox. */
export function Login({ onLogin }: { onLogin: (token: string) => void }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onLogin(String(new FormData(event.currentTarget).get('token')).trim());
  };
  return (
    <main className="login">
      <h1>Workshop</h1>
      <form onSubmit={submit} autoComplete="off">
        <label htmlFor="token">API token</label>
        <input
          id="token"
          name="token"
          required
          spellCheck={false}
          aria-describedby="token-hint"
          defaultValue={import.meta.env.DEV ? 'demo-admin' : ''}
        />
        <p id="token-hint" className="hint">
          The sandbox has the token demo-admin. It is kept until this tab is closed.
        </p>
        <button type="submit">Log in</button>
      </form>
    </main>
  );
}

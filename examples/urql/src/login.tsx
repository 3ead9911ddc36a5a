import { useState } from 'react';

export function Login({ onLogin }: { readonly onLogin: (token: string) => void }) {
  const [token, setToken] = useState(import.meta.env.DEV ? 'demo-admin' : '');
  return (
    <main className="login">
      <h1>Clients</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onLogin(token.trim());
        }}
      >
        <div>
          <label htmlFor="token">API token</label>
          <input
            id="token"
            required
            autoComplete="off"
            spellCheck={false}
            value={token}
            onChange={({ target }) => setToken(target.value)}
            aria-describedby="token-hint"
          />
        </div>
        <p id="token-hint" className="hint">
          Sent as <code>Authorization: Bearer</code>, and kept in memory only.
        </p>
        <button className="primary">Log in</button>
      </form>
    </main>
  );
}

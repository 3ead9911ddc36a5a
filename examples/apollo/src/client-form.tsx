import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { NotApplied, Outcome } from 'trivium-kits/outcome';
import type { ClientFieldsFragment, ClientInput } from './generated/graphql.ts';
import { explain } from './writes.ts';

interface Props {
  /** The client to change. Without one the form is empty. */
  readonly client?: ClientFieldsFragment;
  readonly submitLabel: string;
  readonly write: (input: ClientInput) => Promise<Outcome<ClientFieldsFragment>>;
  /** The client was written; it is null when it could not be read. */
  readonly onWritten: (input: ClientInput, client: ClientFieldsFragment | null) => void;
}

const inputs = [
  { field: 'name', label: 'Name', type: 'text' },
  { field: 'email', label: 'Email', type: 'text' },
  { field: 'phone', label: 'Phone', type: 'tel' },
  { field: 'city', label: 'City', type: 'text' },
] as const;

const hasInput = (name: string) => inputs.some(({ field }) => field === name);

/** The form of a client: a refused field has its messages, and the first of them takes the focus. */
export function ClientForm({ client, submitLabel, write, onWritten }: Props) {
  const [problem, setProblem] = useState<NotApplied | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus(), [problem]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const input = inputOf(new FormData(event.currentTarget));
    const result = await write(input);
    setBusy(false);
    setProblem(result.outcome === 'APPLIED' ? null : result);
    if (result.outcome === 'APPLIED') onWritten(input, result.record);
  };

  const shownAtFields = problem !== null && problem.fields.size > 0 && [...problem.fields.keys()].every(hasInput);
  const values = { name: client?.name, email: client?.email, phone: client?.phone, city: client?.address.city };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      {inputs.map(({ field, label, type }) => {
        const messages = problem?.fields.get(field) ?? [];
        return (
          <div key={field} className="field">
            <label htmlFor={field}>{label}</label>
            <input
              id={field}
              name={field}
              type={type}
              autoComplete="off"
              defaultValue={values[field] ?? ''}
              aria-invalid={messages.length > 0}
              aria-describedby={`${field}-messages`}
            />
            <p id={`${field}-messages`} className="refused">
              {messages.join(', ')}
            </p>
          </div>
        );
      })}
      <p role="alert" className="refused">
        {problem && !shownAtFields && explain(problem)}
      </p>
      <button type="submit" aria-disabled={busy}>
        {submitLabel}
      </button>
    </form>
  );
}

function inputOf(form: FormData): ClientInput {
  const text = (name: string) => String(form.get(name) ?? '').trim() || null;
  return { name: text('name') ?? '', email: text('email'), phone: text('phone'), address: { city: text('city') } };
}

import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { NotApplied, Outcome } from 'trivium-kits/outcome';
import type { ClientDetailsFragment, ClientInput } from './generated/graphql';

interface Props {
  /** The client to change; a new one without. */
  readonly client?: ClientDetailsFragment;
  readonly label: string;
  readonly send: (input: ClientInput) => Promise<Outcome<ClientDetailsFragment>>;
  readonly onApplied: (client: ClientDetailsFragment | null) => void;
}

const inputs = [
  { name: 'name', title: 'Name' },
  { name: 'email', title: 'Email' },
  { name: 'phone', title: 'Phone' },
  { name: 'city', title: 'City' },
] as const;

/** Creates or changes a client. Says at each field why it was refused, and otherwise above the button. */
export function ClientForm({ client, label, send, onApplied }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<NotApplied>();
  const [sending, setSending] = useState(false);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [problem]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return; // the button stays enabled, so that it keeps the focus
    setSending(true);
    const outcome = await send(inputOf(new FormData(event.currentTarget)));
    setSending(false);
    setProblem(outcome.outcome === 'APPLIED' ? undefined : outcome);
    if (outcome.outcome === 'APPLIED') onApplied(outcome.record);
  };

  const messagesOf = (name: string) => problem?.fields.get(name)?.join(' ');
  const values = { ...client, city: client?.address.city };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      {inputs.map(({ name, title }) => (
        <div key={name}>
          <label htmlFor={`client-${name}`}>{title}</label>
          <input
            id={`client-${name}`}
            name={name}
            defaultValue={values[name] ?? ''}
            autoComplete="off"
            aria-invalid={messagesOf(name) !== undefined}
            aria-describedby={`client-${name}-refused`}
          />
          <p id={`client-${name}-refused`} className="refused">
            {messagesOf(name)}
          </p>
        </div>
      ))}
      <ProblemMessage problem={problem} />
      <button className="primary" aria-disabled={sending}>
        {label}
      </button>
    </form>
  );
}

function inputOf(form: FormData): ClientInput {
  const text = (name: string) => String(form.get(name) ?? '').trim() || null;
  return { name: text('name') ?? '', email: text('email'), phone: text('phone'), address: { city: text('city') } };
}

/** Why nothing was changed, or that it is not known. */
export function ProblemMessage({ problem }: { readonly problem: NotApplied | undefined }) {
  if (!problem) return null;
  return (
    <div className="problem" role="alert">
      <p>{problem.message}</p>
      {problem.outcome === 'UNKNOWN' && (
        <p>It is not known whether the change was made. Look for it before you send it again.</p>
      )}
    </div>
  );
}

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useFragment } from 'react-relay';
import type { Outcome } from 'trivium-kits/outcome';
import formFragment, { type clientView_form$key } from './__generated__/clientView_form.graphql.ts';
import type { ClientInput } from './writes.ts';

interface Props {
  /** The client to change; a new one with null. */
  readonly client: clientView_form$key | null;
  readonly label: string;
  readonly send: (input: ClientInput) => Promise<Outcome<unknown>>;
}

const inputs = [
  { name: 'name', label: 'Name' },
  { name: 'email', label: 'Email' },
  { name: 'phone', label: 'Phone' },
  { name: 'city', label: 'City' },
] as const;

/** Says at each field why it was refused, and otherwise above the button. */
export function ClientForm({ client, label, send }: Props) {
  const data = useFragment(formFragment, client);
  const values = { ...data, city: data?.address.city };
  const form = useRef<HTMLFormElement>(null);
  const [outcome, setOutcome] = useState<Outcome<unknown>>();
  const [sending, setSending] = useState(false);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [outcome]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    setSending(true);
    setOutcome(await send(inputOf(new FormData(event.currentTarget))));
    setSending(false);
  };

  const messagesOf = (name: string) =>
    outcome?.outcome === 'REFUSED' ? outcome.fields.get(name)?.join(' ') : undefined;
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      {inputs.map(({ name, label }) => (
        <p key={name}>
          <label htmlFor={name}>{label}</label>
          <input
            id={name}
            name={name}
            defaultValue={values[name] ?? ''}
            autoComplete="off"
            aria-invalid={messagesOf(name) !== undefined}
            aria-describedby={`${name}-refused`}
          />
          <span id={`${name}-refused`}>{messagesOf(name)}</span>
        </p>
      ))}
      <OutcomeMessage outcome={outcome} />
      <button aria-disabled={sending}>{label}</button>
    </form>
  );
}

function inputOf(form: FormData): ClientInput {
  const text = (name: string) => String(form.get(name) ?? '').trim() || null;
  return { name: text('name') ?? '', email: text('email'), phone: text('phone'), address: { city: text('city') } };
}

/** What became of a write. */
export function OutcomeMessage({ outcome }: { readonly outcome: Outcome<unknown> | undefined }) {
  if (!outcome) return null;
  if (outcome.outcome === 'APPLIED') return <p role="status">The change was made.</p>;
  return (
    <p role="alert">
      {outcome.message}
      {outcome.outcome === 'UNKNOWN' && ' The change may have been made: look before you send it again.'}
    </p>
  );
}

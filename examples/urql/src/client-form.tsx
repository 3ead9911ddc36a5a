import { type FormEvent, useId, useState } from 'react';
import type { ClientDetailsFragment, ClientInput, ClientKind } from './generated/graphql';
import type { FieldMessages, Outcome } from './outcome';

interface Props {
  /** The client to change; a new one without. */
  readonly client?: ClientDetailsFragment;
  readonly label: string;
  readonly send: (input: ClientInput) => Promise<Outcome<ClientDetailsFragment>>;
  readonly onApplied: (client: ClientDetailsFragment | null) => void;
}

const kinds: Record<ClientKind, string> = { BUYER: 'Buyer', SELLER: 'Seller' };
const isKind = (text: string): text is ClientKind => Object.hasOwn(kinds, text);

/** Creates or changes a client. Says at each field why it was refused, and otherwise above the button. */
export function ClientForm({ client, label, send, onApplied }: Props) {
  const [outcome, setOutcome] = useState<Outcome<ClientDetailsFragment>>();
  const [sending, setSending] = useState(false);
  const messages: FieldMessages = outcome?.outcome === 'REFUSED' ? outcome.fields : new Map();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return; // the button stays enabled, so that it keeps the focus
    const form = event.currentTarget;
    setSending(true);
    const outcome = await send(inputOf(new FormData(form)));
    setSending(false);
    setOutcome(outcome);
    if (outcome.outcome === 'APPLIED') onApplied(outcome.record);
    else if (outcome.outcome === 'REFUSED') focusFirst(form, outcome.fields);
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Field name="name" label="Name" value={client?.name} message={messages.get('name')} />
      <Field name="email" label="Email" value={client?.email} message={messages.get('email')} />
      <Field name="phone" label="Phone" value={client?.phone} message={messages.get('phone')} />
      <KindField value={client?.kind} message={messages.get('kind')} />
      <Field name="city" label="City" value={client?.address.city} message={messages.get('city')} />
      <Field name="note" label="Note" value={client?.note} message={messages.get('note')} />
      <OutcomeMessage outcome={outcome} />
      <button className="primary" aria-disabled={sending}>
        {label}
      </button>
    </form>
  );
}

function inputOf(form: FormData): ClientInput {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const kind = text('kind');
  return {
    name: text('name'),
    email: text('email') || null,
    phone: text('phone') || null,
    note: text('note') || null,
    kind: isKind(kind) ? kind : null,
    address: { city: text('city') || null },
  };
}

function focusFirst(form: HTMLFormElement, fields: FieldMessages) {
  const refused = [...form.elements].find((element) => fields.has(element.getAttribute('name') ?? ''));
  if (refused instanceof HTMLElement) refused.focus();
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | null | undefined;
  readonly message: string | undefined;
}

function Field({ name, label, value, message }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        defaultValue={value ?? ''}
        autoComplete="off"
        aria-invalid={message !== undefined}
        aria-describedby={message === undefined ? undefined : `${id}-message`}
      />
      {message !== undefined && (
        <p id={`${id}-message`} className="refused">
          {message}
        </p>
      )}
    </div>
  );
}

function KindField({ value, message }: Pick<FieldProps, 'value' | 'message'>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Kind</label>
      <select id={id} name="kind" defaultValue={value ?? ''} aria-invalid={message !== undefined}>
        <option value="">Not set</option>
        {Object.entries(kinds).map(([kind, text]) => (
          <option key={kind} value={kind}>
            {text}
          </option>
        ))}
      </select>
      {message !== undefined && <p className="refused">{message}</p>}
    </div>
  );
}

/** Why nothing was changed, or that it is not known. */
export function OutcomeMessage({ outcome }: { readonly outcome: Outcome<unknown> | undefined }) {
  if (!outcome || outcome.outcome === 'APPLIED') return null;
  return (
    <div className="problem" role="alert">
      <p>{outcome.message}</p>
      {outcome.outcome === 'UNKNOWN' && (
        <p>It is not known whether the change was made. Look for it before you send it again.</p>
      )}
    </div>
  );
}

import type { FormEvent } from 'react';

interface Props {
  readonly label: string;
  readonly button: string;
  /** Is given the text when the form is sent, and an empty one when the field was emptied. */
  readonly onSearch: (text: string) => void;
}

export function SearchForm({ label, button, onSearch }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSearch(String(new FormData(event.currentTarget).get('text')).trim());
  };
  return (
    <search>
      <form className="search" onSubmit={submit}>
        <label htmlFor="text">{label}</label>
        <input
          id="text"
          name="text"
          type="search"
          autoComplete="off"
          onInput={({ currentTarget }) => currentTarget.value === '' && onSearch('')}
        />
        <button type="submit">{button}</button>
      </form>
    </search>
  );
}

import { useState } from 'react';

/** The value, or the last one while there is none: rows stay on the screen when the next ones could not be read. */
export function useLast<T extends object>(value: T | null | undefined): T | null | undefined {
  const [last, setLast] = useState(value);
  if (value && value !== last) setLast(value);
  return value ?? last;
}

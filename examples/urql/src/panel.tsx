import { type ReactNode, useEffect, useRef } from 'react';
import { addressOf } from './route';

/** Beside the list, or in its place on a narrow screen. Its title takes the focus when it opens. */
export function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="panel" aria-labelledby="panel-title">
      <a className="back" href={addressOf()}>
        ← All clients
      </a>
      <h2 id="panel-title" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

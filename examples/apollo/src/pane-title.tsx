import { type ReactNode, useEffect, useRef } from 'react';

/** The heading of the pane beside the list. It takes the focus, so that a screen reader and the keyboard go on there. */
export function PaneTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <a className="back" href="#/clients">
        All clients
      </a>
      <h2 id="detail-title" ref={heading} tabIndex={-1}>
        {children}
      </h2>
    </>
  );
}

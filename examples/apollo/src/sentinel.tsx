import { useEffect, useEffectEvent, useRef } from 'react';

/** The end of a list that loads as it is scrolled: tells each time that it comes into view. */
export function Sentinel({ onSeen }: { onSeen: () => void }) {
  const end = useRef<HTMLSpanElement>(null);
  const tell = useEffectEvent(onSeen);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && tell());
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return <span ref={end} />;
}

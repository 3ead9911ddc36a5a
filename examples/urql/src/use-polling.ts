import { useEffect } from 'react';

/** Calls `refresh` at an interval, in milliseconds, while the page is visible. */
export function usePolling(refresh: () => void, interval: number): void {
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && refresh(), interval);
    return () => clearInterval(timer);
  }, [refresh, interval]);
}

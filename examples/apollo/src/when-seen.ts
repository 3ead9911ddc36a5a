/** A ref that calls `onSeen` when its element comes into view. */
export const whenSeen = (onSeen: () => void) => (element: Element | null) => {
  const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && onSeen());
  if (element) observer.observe(element);
  return () => observer.disconnect();
};

/** A clock that stands still until it is set. */
export function clock(start: string) {
  let time = new Date(start);
  return { now: () => time, set: (instant: string) => void (time = new Date(instant)) };
}

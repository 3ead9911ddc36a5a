/**
 * Repeats a list without end, to vary the seeded records.
 *
 * @param index position in the repeated list, from 0
 * @throws Error when the list is empty
 */
export function cycle<Member>(list: readonly Member[], index: number): Member {
  const member = list[index % list.length];
  if (member === undefined) throw new Error('An empty list cannot be repeated.');
  return member;
}

/** Gives each record an id: its own, or the lowest that is free, in the order of the list. */
export function withIds<Member>(members: readonly Member[], idOf: (member: Member) => number | undefined) {
  const taken = new Set(members.map(idOf));
  let next = 1;
  return members.map((member) => {
    const own = idOf(member);
    if (own !== undefined) return { id: own, member };
    while (taken.has(next)) next++;
    return { id: next++, member };
  });
}

/** Numbers from 0 up to a limit, the same ones for the same seed. */
export function dice(seed: number) {
  let state = (seed + 1) * 7_919;
  const roll = (sides: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * sides);
  };
  return { roll, pick: <T>(...choices: readonly [T, ...T[]]): T => choices[roll(choices.length)] ?? choices[0] };
}

import type { Behaviour } from '../domain/sweep/behaviour.ts'

/** Puts behaviours into as few runs as possible: those of a run meet no common call or webhook. */
export function groupsOf(behaviours: readonly Behaviour[]): Behaviour[][] {
  const groups: Behaviour[][] = []
  // Those that take most go first, the others fill the gaps.
  for (const behaviour of behaviours.toSorted((a, b) => b.slots.length - a.slots.length)) {
    const group = groups.find((each) => each.every((other) => !collide(other, behaviour)))
    if (group === undefined) groups.push([behaviour])
    else group.push(behaviour)
  }
  return groups
}

const collide = (a: Behaviour, b: Behaviour): boolean => a.slots.some((slot) => b.slots.includes(slot))

/** The two halves of a group that was not green. */
export const halvesOf = (group: readonly Behaviour[]): Behaviour[][] => {
  const half = Math.ceil(group.length / 2)
  return [group.slice(0, half), group.slice(half)]
}

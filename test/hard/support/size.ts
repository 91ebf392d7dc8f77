const size = process.env.HARD_SIZE ?? 'part'
if (size !== 'part' && size !== 'whole') throw new Error(`HARD_SIZE is whole or part, not ${size}`)

/** Whether the suite runs at its whole size, from which the figures of `docs/explanation/reliability.md` come. */
export const isWhole = size === 'whole'

/** How much of something a test does: all of it, or a part that shows the promise in less time. */
export const sized = <T>(amount: { readonly whole: T; readonly part: T }): T => amount[size]

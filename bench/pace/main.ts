// Does the same piece of work whenever it is asked to, and tells how long that took. Texts, objects and a hash: what slows
// a server down slows this down.

import { createHash } from 'node:crypto'

const text = JSON.stringify(
  Object.fromEntries(
    Array.from({ length: 24 }, (_, n) => [
      `member${n}`,
      { text: `value ${n}`, half: n / 2, both: [n, n + 1] },
    ]),
  ),
)

/** @returns what came of it, so that no compiler leaves it out */
function work(): number {
  let sum = 0
  for (let turn = 0; turn < 150; turn++) {
    const members = new Map(Object.entries<{ half: number }>(JSON.parse(text)))
    for (const [name, { half }] of members) if (name.endsWith('3')) sum += half
    sum += createHash('sha256')
      .update(JSON.stringify([...members]))
      .digest('hex').length
  }
  return sum
}

function timed(): number {
  const begun = performance.now()
  if (work() === 0) throw new Error('there was nothing to do')
  return performance.now() - begun
}

// Until the compiler has settled.
for (const end = performance.now() + 500; performance.now() < end; ) work()

process.once('disconnect', () => process.exit())
// The better of two: a moment in which another process had the core says nothing of the machine.
process.on('message', () => process.send?.(Math.min(timed(), timed())))
process.send?.('ready')

import type { Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'

/** The order is created, and the answer of its create call is held for `delay` on the client's clock. */
export const answerHeld = (follows: Script, delay: string): Script => ({
  ...follows,
  answers: [{ on: 'create-order', when: 'stored', effect: { delay }, times: 1 }],
})

/** Advances the clock until the application has its answer or has given up. An answer that is held later, because
 *  its order was stored just before, needs a second advance. */
export async function releasedBy(by: string, answer: Promise<unknown>, stage: Stage): Promise<void> {
  let ended = false
  const end = () => {
    ended = true
  }
  answer.then(end, end)
  do await stage.advance(by)
  while (!(await stage.until(async () => ended, betweenReleasesMs)))
}

const betweenReleasesMs = 200

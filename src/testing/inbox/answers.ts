import type { OutgoingAnswer } from './door.ts'
import type { ReceivedWebhook } from './received-webhook.ts'

/** How a webhook is answered: with a status; with more than that; never (`hang`: its sender waits until its time is
 *  up); or by a broken connection (`reset`). */
export type InboxAnswer =
  | number
  | {
      /** 200 if left out. */
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      /** Wall milliseconds before it is answered. */
      readonly delayMs?: number
    }
  | 'hang'
  | 'reset'

/** How webhooks are answered: the same for each, or as a function decides. One that throws answers 500. */
export type Answering = InboxAnswer | ((webhook: ReceivedWebhook) => InboxAnswer | Promise<InboxAnswer>)

/** The answers that a test has planned. */
export class PlannedAnswers {
  #once: Answering[] = []
  #standing: Answering = 200

  /** Puts one in the place of all planned before. @throws RangeError for a status that there is not */
  set(standing: Answering): void {
    check(standing)
    this.#once = []
    this.#standing = standing
  }

  /** Lays some over it, each for one webhook. @throws RangeError for a status that there is not */
  addOnce(answers: readonly Answering[]): void {
    answers.forEach(check)
    this.#once.push(...answers)
  }

  /** The answer for the next webhook. */
  take(): Answering {
    return this.#once.shift() ?? this.#standing
  }
}

/** What is answered to a webhook; at once where nothing puts it off.
 *  @param delay waits so many milliseconds */
export function answerTo(
  webhook: ReceivedWebhook,
  answering: Answering,
  delay: (ms: number) => Promise<void>,
): OutgoingAnswer | Promise<OutgoingAnswer> {
  return typeof answering === 'function'
    ? decided(answering, webhook).then((answer) => given(answer, delay))
    : given(answering, delay)
}

function given(
  answer: InboxAnswer,
  delay: (ms: number) => Promise<void>,
): OutgoingAnswer | Promise<OutgoingAnswer> {
  if (answer === 'hang' || answer === 'reset') return answer
  const { delayMs = 0, ...rest } = typeof answer === 'number' ? { status: answer } : answer
  const full = { status: 200, headers: {}, body: '', ...rest }
  return delayMs > 0 ? delay(delayMs).then(() => full) : full
}

async function decided(
  decide: (webhook: ReceivedWebhook) => InboxAnswer | Promise<InboxAnswer>,
  webhook: ReceivedWebhook,
): Promise<InboxAnswer> {
  try {
    const answer = await decide(webhook)
    check(answer)
    return answer
  } catch (error) {
    return { status: 500, body: `The inbox could not answer: ${error}` }
  }
}

/** A wrong status would come out as a broken connection. */
function check(answering: Answering): void {
  const status = typeof answering === 'object' ? (answering.status ?? 200) : answering
  if (typeof status !== 'number' || (Number.isInteger(status) && status >= 200 && status <= 599)) return
  throw new RangeError(`A webhook is answered with a status from 200 to 599, not ${status}`)
}

import type { OutgoingAnswer } from './door.ts'
import { type FullAnswer, type InboxAnswer, readAnswer } from './inbox-answer.ts'
import type { ReceivedWebhook } from './received-webhook.ts'

type Decide = (webhook: ReceivedWebhook) => InboxAnswer | Promise<InboxAnswer>

/** How webhooks are answered: the same for each, or as a function decides. If the function throws or returns no answer,
 *  the inbox answers 500 with the reason. */
export type Answering = InboxAnswer | Decide

/** An answer that has been read, or who decides it. */
type Planned = FullAnswer | Decide

/** The answers that a test has planned. */
export class PlannedAnswers {
  #once: Planned[] = []
  #standing: Planned = readAnswer(200)

  /** Puts one in the place of all planned before. @throws RangeError, TypeError for what is no answer */
  set(standing: Answering): void {
    this.#standing = planned(standing)
    this.#once = []
  }

  /** Lays some over it, each for one webhook. @throws RangeError, TypeError for what is no answer */
  addOnce(answers: readonly Answering[]): void {
    this.#once.push(...answers.map(planned))
  }

  /** The answer for the next webhook. */
  take(): Planned {
    return this.#once.shift() ?? this.#standing
  }
}

const planned = (answering: Answering): Planned =>
  typeof answering === 'function' ? answering : readAnswer(answering)

/** What is answered to a webhook; at once where nothing puts it off.
 *  @param delay waits so many milliseconds */
export function answerTo(
  webhook: ReceivedWebhook,
  planned: Planned,
  delay: (ms: number) => Promise<void>,
): OutgoingAnswer | Promise<OutgoingAnswer> {
  return typeof planned === 'function'
    ? decided(planned, webhook).then((answer) => given(answer, delay))
    : given(planned, delay)
}

function given(
  answer: FullAnswer,
  delay: (ms: number) => Promise<void>,
): OutgoingAnswer | Promise<OutgoingAnswer> {
  if (typeof answer === 'string') return answer
  const { delayMs, ...rest } = answer
  return delayMs > 0 ? delay(delayMs).then(() => rest) : rest
}

async function decided(decide: Decide, webhook: ReceivedWebhook): Promise<FullAnswer> {
  try {
    return readAnswer(await decide(webhook))
  } catch (error) {
    return readAnswer({ status: 500, body: `The inbox could not answer: ${error}` })
  }
}

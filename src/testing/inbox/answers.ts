import { validateHeaderName, validateHeaderValue } from 'node:http'
import { inspect } from 'node:util'
import { didYouMean } from '../../domain/text/issue-words.ts'
import { strayOption } from '../errors.ts'
import type { OutgoingAnswer } from './endpoint.ts'
import type { ReceivedWebhook } from './received-webhook.ts'

/** The answer to a webhook: a status, a status and more, none (`hang`), or a broken connection (`reset`). `status`
 *  is 200 by default; `delayMs` delays the answer by milliseconds of wall-clock time. */
export type InboxAnswer =
  | number
  | {
      /** The HTTP status. Default: 200. */
      readonly status?: number | undefined
      readonly headers?: Readonly<Record<string, string>> | undefined
      readonly body?: string | undefined
      /** The delay before the answer, in milliseconds of wall-clock time. */
      readonly delayMs?: number | undefined
    }
  | 'hang'
  | 'reset'

type FullAnswer =
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
      readonly delayMs: number
    }
  | 'hang'
  | 'reset'

/** Validates an answer given by a test. Types help only users of TypeScript; an invalid answer would become a 200 or
 *  a broken connection.
 *  @throws RangeError for an invalid status or delay
 *  @throws TypeError for any other value that is no answer */
function readAnswer(answer: unknown): FullAnswer {
  if (answer === 'hang' || answer === 'reset') return answer
  if (typeof answer === 'number') return fullAnswer({ status: answer })
  if (isPlain(answer)) return fullAnswer(answer)
  const meant = typeof answer === 'string' ? didYouMean(answer, ['hang', 'reset']) : ''
  throw new TypeError(
    `Expected a status, 'hang', 'reset', or { status, headers, body, delayMs } as the answer to a webhook, not ${shown(answer)}${meant}`,
  )
}

/** Whether a value is a plain object, not a `Response`, list or promise. Jest has more than one `Object` class. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function fullAnswer(answer: object): FullAnswer {
  const stray = strayOption(answer, ['status', 'headers', 'body', 'delayMs'])
  if (stray !== null) throw new TypeError(`An answer to a webhook: ${stray}`)
  const {
    status = 200,
    headers = {},
    body = '',
    delayMs = 0,
  }: Readonly<Record<string, unknown>> = { ...answer }
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`Expected a status from 200 to 599 as the answer to a webhook, not ${shown(status)}`)
  if (typeof delayMs !== 'number' || !(delayMs >= 0))
    throw new RangeError(`\`delayMs\` of an answer: expected 0 or more, not ${shown(delayMs)}`)
  if (typeof body !== 'string')
    throw new TypeError(`\`body\` of an answer: expected a string, not ${shown(body)}`)
  return { status, headers: headersOf(headers), body, delayMs }
}

/** Checks the headers of an answer.
 *  @throws TypeError for an invalid header name or value */
function headersOf(headers: unknown): Record<string, string> {
  if (!isPlain(headers))
    throw new TypeError(`\`headers\` of an answer: expected an object, not ${shown(headers)}`)
  const lines = Object.entries(headers).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError(`Header ${name} of an answer: expected a string, not ${shown(value)}`)
    if (/^(content-length|transfer-encoding)$/i.test(name))
      throw new TypeError(`Header ${name} of an answer: leave it out, it is set from the body`)
    validateHeaderName(name)
    validateHeaderValue(name, `${value}`)
    return [name, `${value}`]
  })
  return Object.fromEntries(lines)
}

const shown = (value: unknown): string =>
  inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY }).slice(0, 100)

type Decide = (webhook: ReceivedWebhook) => InboxAnswer | Promise<InboxAnswer>

/** The answer to all webhooks, or a function that decides each answer. If the function throws or returns no answer,
 *  the inbox answers 500 with the reason. */
export type Answering = InboxAnswer | Decide

type Planned = FullAnswer | Decide

export class PlannedAnswers {
  #once: Planned[] = []
  #usual: Planned = readAnswer(200)

  /** Replaces all planned answers.
   *  @throws RangeError, TypeError for an invalid answer */
  set(answer: Answering): void {
    this.#usual = planned(answer)
    this.#once = []
  }

  /** Adds answers for one webhook each.
   *  @throws RangeError, TypeError for an invalid answer */
  addOnce(answers: readonly Answering[]): void {
    this.#once.push(...answers.map(planned))
  }

  take(): Planned {
    return this.#once.shift() ?? this.#usual
  }
}

const planned = (answering: Answering): Planned =>
  typeof answering === 'function' ? answering : readAnswer(answering)

/** Resolves with the answer to a webhook, after its delay if it has one.
 *  @param delay waits some milliseconds */
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

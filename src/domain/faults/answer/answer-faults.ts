import * as z from 'zod'
import type { CallWord } from '../../journal/call-words.ts'
import { lookupNames } from '../../order/order.ts'
import { ticked } from '../../text/issue-words.ts'
import type { AllOf } from '../../text/objects.ts'
import { type AnswerEffect, bodiless, type FaultStage, usualAnswer } from './answer-fault.ts'
import { body } from './body.ts'
import { cut } from './cut.ts'
import { delay } from './delay.ts'
import { hang } from './hang.ts'
import { headers } from './headers.ts'
import { afterWebhook, shows, slow } from './of-sweeps.ts'
import { reset } from './reset.ts'
import { stale } from './stale.ts'
import { status } from './status.ts'

/** The faults that people can write. To add one, write a file like `reset.ts` and list it here. Faults that send
 *  bytes in a new way also change `api/faults/faulty-answer.ts`. */
const written = [status, body, headers, delay, hang, reset, cut, stale] as const

/** All faults of API answers, in the order in which they are described. */
const faults = [...written, slow, afterWebhook, shows] as const

const fields: AllOf<(typeof written)[number]['written']> = Object.assign(
  {},
  ...written.map(({ written }) => written),
)

/** Schema of a fault's effect on a call, as written in scenario files and in `POST /_emulator/faults`. */
export const effectText = z.strictObject(fields).refine((effect) => Object.keys(effect).length > 0, {
  error: 'is empty; write `{ status: 500 }`, for example',
  when: ({ issues }) => issues.length === 0,
})

export type EffectText = z.output<typeof effectText>

/** Combines the written fields of all faults into one effect on the answer. */
export function readEffect(text: EffectText): AnswerEffect {
  let effect = usualAnswer
  for (const fault of written) {
    const read = fault.read(text)
    effect = { ...effect, ...read, headers: { ...effect.headers, ...read.headers } }
  }
  return effect
}

export const effectWords = (effect: AnswerEffect): string[] =>
  described.flatMap((fault) => fault.words(effect))

/** Describes an effect for the note in the request log. */
export const effectNotes = (effect: AnswerEffect, when: FaultStage): string[] =>
  described.flatMap((fault) => fault.notes(effect, when))

const described = [...faults.filter(({ delays }) => delays), ...faults.filter(({ delays }) => !delays)]

/** Finds fields of an effect that contradict each other, or that need another field.
 *  @returns names of fields with messages */
export function contradictions(
  effect: EffectText,
  { on, when }: { on: readonly CallWord[]; when: FaultStage },
): [string, string][] {
  const found: [string, string][] = []
  const has = (member: keyof EffectText) => effect[member] !== undefined
  const silent = (['hang', 'reset'] as const).find(has)
  for (const member of ['status', 'body', 'headers', 'retryAfter', 'cut', 'stale'] as const) {
    if (silent !== undefined && has(member))
      found.push([member, `cannot be combined with \`${silent}\`, which sends no answer`])
  }
  if (has('hang') && has('reset')) found.push(['reset', 'cannot be combined with `hang`'])
  if (has('hang') && has('delay'))
    found.push(['delay', 'cannot be combined with `hang`, which waits already'])
  if (has('stale')) found.push(...staleProblems(effect, on, when))
  if (has('retryAfter') && !has('status')) found.push(['retryAfter', 'needs a `status`, 429 or 503'])
  const says = (['body', 'headers', 'cut'] as const).find(has)
  if (when !== 'stored' && says !== undefined && !has('status')) {
    found.push([says, `needs a \`status\`, unless \`when: stored\` is set: there is no answer yet`])
  }
  const { status = 500 } = effect
  if (bodiless.includes(status) && has('body')) found.push(['body', `an answer with ${status} has none`])
  if (bodiless.includes(status) && has('cut')) found.push(['cut', `an answer with ${status} has no body`])
  else if (when !== 'stored' && status < 400 && !bodiless.includes(status) && !has('body')) {
    found.push(['status', `${status} needs a \`body\`, unless \`when: stored\` is set`])
  }
  return found
}

function* staleProblems(
  { status, body }: EffectText,
  on: readonly CallWord[],
  when: FaultStage,
): Iterable<[string, string]> {
  const others = on.filter((word) => !lookups.includes(word))
  if (others.length > 0) {
    const calls = others.map(ticked).join(', ')
    yield [
      'stale',
      `is an effect on lookups, not on ${calls}; it needs ${ticked('on')}: ${lookupNames.join(', ')}`,
    ]
  }
  if (when === 'unchecked')
    yield ['stale', 'needs `when: before` or `when: stored`: before the checks there is no record yet']
  if (status !== undefined) yield ['status', 'cannot be combined with `stale`, which answers with records']
  if (body !== undefined) yield ['body', 'cannot be combined with `stale`, which answers with records']
}

const lookups: readonly CallWord[] = lookupNames

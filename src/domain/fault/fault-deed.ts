import { check, type Problem } from '../problems.ts'
import { compiledEffect, contradictions, effectText } from '../scenario/answer-effect-text.ts'
import { deliveryEffectText } from './delivery-effect-text.ts'
import type { AskedFault, FaultDeed } from './planned-fault.ts'

/** What a fault does, read from its effect; or all that is wrong with the effect. Which words it has depends on what
 *  it is done to. */
export function readDeed(asked: AskedFault): { deed: FaultDeed } | { problems: readonly Problem[] } {
  const foreign = asked.on === 'delivery' ? notOfDeliveries : notOfCalls
  const wrong = Object.keys(asked.effect).filter((name) => Object.hasOwn(foreign, name))
  if (wrong.length > 0) return { problems: wrong.map((name) => problem(name, foreign[name] ?? '')) }
  return asked.on === 'delivery' ? attemptDeed(asked) : callDeed(asked, asked.on)
}

function attemptDeed({ effect }: AskedFault): ReturnType<typeof readDeed> {
  const read = check(deliveryEffectText, effect)
  return read.ok ? { deed: { attempts: read.value } } : read
}

function callDeed(
  { effect, when, skip, times }: AskedFault,
  on: Exclude<AskedFault['on'], 'delivery'>,
): ReturnType<typeof readDeed> {
  const read = check(effectText, effect)
  if (!read.ok) return read
  const stage = when ?? 'before'
  const against = contradictions(read.value, stage)
  if (against.length > 0) return { problems: against.map(([member, message]) => problem(member, message)) }
  const words = typeof on === 'string' ? [on] : on
  return {
    deed: { calls: { on: words, when: stage, effect: compiledEffect(read.value), skip, times, forMs: null } },
  }
}

const problem = (name: string, message: string): Problem => ({ path: [name], message })

const notOfCalls: Readonly<Record<string, string>> = Object.fromEntries(
  ['drop', 'duplicate', 'apart', 'sign', 'timestamp', 'tamper', 'truncate', 'countAs'].map((name) => [
    name,
    'is an effect on deliveries; it needs `on: delivery`',
  ]),
)

/** What can't be done to a delivery when it is already on its way, and what is done to calls only. */
const notOfDeliveries: Readonly<Record<string, string>> = {
  body: 'a webhook has the same bytes in every attempt; use POST /_emulator/deliveries to send any body',
  patch: 'a webhook has the same bytes in every attempt; use POST /_emulator/deliveries to send any body',
  simultaneous:
    'only a scenario can send copies at the same time; here, use `duplicate` to send the webhook again',
  ids: 'only a scenario can give copies their own ids',
  after: 'only a scenario can change the order of webhooks; here, use `delay` to make one late',
  early: 'only a scenario can send CREATED before the create call is answered',
  attempts: 'only a scenario can set this; here, use `times` for the number of wrong attempts',
  of: 'use `where: { orderStatus }` beside the effect',
  times: 'belongs beside the effect, not in it',
  status: 'is an effect on calls; for a delivery, use `countAs` to set the status that counts',
  hang: 'is an effect on calls; for a delivery, use `delay` to make it late',
  reset: 'is an effect on calls; for a delivery, use `cut: "end"` to break it off before an answer',
  retryAfter: 'is an effect on calls',
}

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
    'is done to deliveries; it goes with `on: delivery`',
  ]),
)

/** What can't be done to a delivery when it is already on its way, and what is done to calls only. */
const notOfDeliveries: Readonly<Record<string, string>> = {
  body: 'a webhook has the same bytes on every attempt; POST /_emulator/deliveries sends any body',
  patch: 'a webhook has the same bytes on every attempt; POST /_emulator/deliveries sends any body',
  simultaneous: 'only a scenario can make copies of one moment; here `duplicate` sends it again',
  ids: 'only a scenario can give copies ids of their own',
  after: 'only a scenario can change the order of webhooks; here `delay` makes one late',
  early: 'only a scenario can send CREATED before the create call is answered',
  attempts: 'only a scenario can say so; `times` says how many attempts are wrong',
  of: 'write `where: { orderStatus }` beside the effect',
  times: 'stands beside the effect, not in it',
  status: 'is done to calls; `countAs` is the status that counts for a delivery',
  hang: 'is done to calls; `delay` makes a delivery late',
  reset: 'is done to calls; `cut: "end"` breaks a delivery off before it is answered',
  retryAfter: 'is done to calls',
}

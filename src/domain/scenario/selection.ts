import type { Settings } from '../choices/settings.ts'

/** The selectors of a scenario for a new order, from its create call and its client. */
export interface Selectors {
  /** The scenario that a control call names for the order that it creates. */
  readonly control: string | null
  readonly next: string | null
  readonly header: string | null
  /** The value of `metadata.emulatorScenario` in the create call. */
  readonly metadata: string | null
  readonly email: string
  readonly requestDescription: string | undefined
  readonly userMessage: string | undefined
  readonly fiatAmount: string
  readonly clientDefault: string
}

/** The name of a selected scenario, and what selected it. */
export interface Selected {
  readonly id: string
  readonly why: string
}

const amounts: ReadonlyMap<string, string> = new Map([
  ['90.04', 'fail-9004'],
  ['90.05', 'fail-9005'],
  ['90.06', 'refund-failed'],
  ['70.01', 'create-timeout-then-7001'],
])

/** All scenarios named for an order, strongest selector first; `happy` comes last. The caller takes the first that
 *  exists and serves the order's kind, and notes the others. */
export function selectScenario(from: Selectors, settings: Settings): Selected[] {
  const selected: Selected[] = []
  const named = (why: string, id: string | null | undefined) => {
    if (id) selected.push({ id, why })
  }
  named('control API', from.control)
  named('next', from.next)
  named('header emulator-scenario', from.header)
  named('metadata.emulatorScenario', from.metadata)
  named('e-mail tag', plusTag(from.email))
  named('requestDescription', afterPrefix(from.requestDescription))
  named('userMessage', afterPrefix(from.userMessage))
  named('amount', settings['scenarios.amounts'] === 'on' ? byAmount(from.fiatAmount) : null)
  named('default', from.clientDefault)
  named('default', 'happy')
  return selected
}

/** The amount that selects a scenario, if one does (N68). */
export const amountFor = (id: string): string | undefined =>
  [...amounts].find(([, scenario]) => scenario === id)?.[0]

/** Reads `metadata.emulatorScenario`. */
export function namedInMetadata(metadata: unknown): string | null {
  if (typeof metadata !== 'object' || metadata === null || !('emulatorScenario' in metadata)) return null
  return typeof metadata.emulatorScenario === 'string' ? metadata.emulatorScenario : null
}

/** Reads `fail-9004` in `buyer+fail-9004@example.com`. */
function plusTag(email: string): string | null {
  const plus = email.indexOf('+')
  const at = email.lastIndexOf('@')
  return plus === -1 || plus >= at ? null : email.slice(plus + 1, at)
}

function afterPrefix(text: string | undefined): string | null {
  const prefix = 'scenario:'
  return text?.startsWith(prefix) ? text.slice(prefix.length).trim() : null
}

/** Returns the scenario that an amount selects (N68); null for none. Leading zeros of the amount are ignored. */
function byAmount(amount: string): string | null {
  return amounts.get(amount.startsWith('0') ? amount.replace(/^0+/, '') : amount) ?? null
}

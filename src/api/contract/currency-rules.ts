import type { Settings } from '../../domain/choices.ts'
import { catalogEntry } from '../../domain/currencies.ts'
import { compareAmounts, decimalsOf } from '../../domain/money.ts'
import type { Problem } from '../../domain/problems.ts'

/** What the rules below look at. */
interface Ordered {
  readonly currencyId: string
  readonly fiatAmount: string
  readonly mode?: string | undefined
  readonly targetApp?: string | undefined
  readonly interval?: string | undefined
  readonly requestDescription?: string | undefined
  readonly billingData?: object | undefined
}

/** The rules that depend on settings: the currency catalogue (N3, N5, R43, R45), `targetApp` (N1, R36) and the
 *  intervals of subscriptions (N25).
 *  @param known the fields that this kind of order has; no rule asks for others */
export function checkRules(ordered: Ordered, known: readonly string[], settings: Settings): Problem[] {
  return [
    ...currencyProblems(ordered, known, settings),
    ...targetAppProblems(ordered, settings['checkout.targetApps']),
    ...(known.includes('interval') ? intervalProblems(ordered, settings['subscription.intervals']) : []),
  ]
}

function currencyProblems(ordered: Ordered, known: readonly string[], settings: Settings): Problem[] {
  const entry = catalogEntry(settings, ordered.currencyId)
  if (entry === undefined) {
    if (settings['currencies.unknown'] === 'accept') return []
    return [problem('currencyId', 'is not in the currency catalogue (setting `currencies.catalog`)')]
  }
  const { fiatAmount } = ordered
  const required = (entry.requiredFields ?? []).filter((field) => known.includes(field))
  const missing = required.filter((field) => ordered[field] === undefined)
  const problems = missing.map((field) =>
    problem(field, `is required for the currency ${ordered.currencyId}`),
  )
  const { decimals, minAmount, maxAmount } = entry
  if (decimals !== undefined && decimalsOf(fiatAmount) > decimals) {
    problems.push(problem('fiatAmount', `must have at most ${decimals} decimals in ${ordered.currencyId}`))
  }
  if (minAmount !== undefined && compareAmounts(fiatAmount, minAmount) < 0) {
    problems.push(problem('fiatAmount', `must be at least ${minAmount}`))
  }
  if (maxAmount !== undefined && compareAmounts(fiatAmount, maxAmount) > 0) {
    problems.push(problem('fiatAmount', `must be at most ${maxAmount}`))
  }
  return problems
}

/** Only `returnAppUrl` needs a `targetApp`; elsewhere it is ignored (N2). */
function targetAppProblems({ mode, targetApp }: Ordered, allowed: readonly string[] | null): Problem[] {
  if (mode !== 'returnAppUrl') return []
  if (targetApp === undefined) return [problem('targetApp', 'is required with mode returnAppUrl')]
  if (allowed !== null && !allowed.includes(targetApp)) {
    return [problem('targetApp', `must be one of ${allowed.join(', ')}`)]
  }
  if (targetApp === 'INVALID_APP') return [problem('targetApp', 'INVALID_APP is never valid')]
  return [...targetApp].length > 100 ? [problem('targetApp', 'must have at most 100 characters')] : []
}

function intervalProblems({ interval }: Ordered, allowed: readonly string[]): Problem[] {
  if (interval === undefined || allowed.includes(interval)) return []
  return [problem('interval', `must be one of ${allowed.join(', ')} (setting \`subscription.intervals\`)`)]
}

const problem = (field: string, message: string): Problem => ({ path: [field], message })

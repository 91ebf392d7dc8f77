import { EmulatorError } from '../domain/errors.ts'
import type { OrderKind } from '../domain/order.ts'
import type { Scenario } from '../domain/scenario/scenario.ts'

/** Refuses a scenario for a kind of order that it does not serve. @throws invalid_input */
export function refuseOtherKinds(scenario: Pick<Scenario, 'id' | 'for'>, kind: OrderKind): void {
  if (scenario.for === null || scenario.for.includes(kind)) return
  const problems = `scenario: "${scenario.id}" is for ${scenario.for.join(', ')}, not for ${kind}`
  throw new EmulatorError('invalid_input', { problems })
}

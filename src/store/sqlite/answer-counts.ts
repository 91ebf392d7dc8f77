import { and, eq } from 'drizzle-orm'
import { EmulatorError } from '../../domain/errors.ts'
import { type CountedRule, verdictOf } from '../../domain/scenario/answer-faults.ts'
import type { CountedCall, Store } from '../store.ts'
import type { Connection } from './connection.ts'
import { once, p } from './parameter.ts'
import { bindingTaker } from './scenarios.ts'
import { answerCounts, bindings } from './schema.ts'
import { isOrphan } from './sqlite-errors.ts'

/** How often the rules of scenarios have answered calls. */
export function answerCountVerbs(connection: Connection): Pick<Store, 'countAnswer'> {
  const { db, write } = connection
  const takeBinding = bindingTaker(connection)
  const counts = once(() =>
    db
      .select({ calls: answerCounts.calls, since: answerCounts.since })
      .from(answerCounts)
      .where(
        and(
          eq(answerCounts.clientId, p('clientId')),
          eq(answerCounts.requestId, p('requestId')),
          eq(answerCounts.scenarioId, p('scenarioId')),
          eq(answerCounts.rule, p('rule')),
        ),
      )
      .prepare(),
  )

  const count = (
    { clientId, requestId, scenarioId, at }: CountedCall,
    { name, rule }: CountedRule,
  ): number | null => {
    const place = { clientId, requestId, scenarioId, rule: name }
    const before = counts().get(place) ?? null
    const verdict = verdictOf(rule, before, at)
    if (verdict === 'over') return null
    const calls = (before?.calls ?? 0) + 1
    db.insert(answerCounts)
      .values({ ...place, calls, since: before?.since ?? at })
      .onConflictDoUpdate({ target: countedBy, set: { calls } })
      .run()
    return verdict === 'answers' ? calls : null
  }

  const firstThatAnswers = (call: CountedCall) => {
    for (const rule of call.rules) {
      const calls = count(call, rule)
      if (calls !== null) return { rule, calls }
    }
    return null
  }

  /** A call of the same requestId may have kept its part in the meantime. */
  const pin = ({ from, pinned }: NonNullable<CountedCall['pins']>) => {
    const isKept = () => db.insert(bindings).values(pinned).onConflictDoNothing().run().changes > 0
    if (!takeBinding(from) || !isKept()) throw new EmulatorError('binding_used')
  }

  return {
    countAnswer: (call) =>
      write(() => {
        try {
          const answer = firstThatAnswers(call)
          if (answer !== null && call.pins !== undefined) pin(call.pins)
          return answer
        } catch (error) {
          if (isOrphan(error)) throw new EmulatorError('client_unknown', { clientId: call.clientId })
          throw error
        }
      }),
  }
}

const countedBy = [answerCounts.clientId, answerCounts.requestId, answerCounts.scenarioId, answerCounts.rule]

import { getTableColumns } from 'drizzle-orm'
import { type CountedRule, verdictOf } from '../../domain/scenario/answer-rules.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { CompiledScenario, CountedCall, Store } from '../store.ts'
import { refuseEnded } from './clients.ts'
import { lister } from './lists.ts'
import { ofIdAndClient, selector } from './rows.ts'
import { answerCounts, bindings, scenarioTexts, scenarioVersions } from './schema.ts'
import type { Connection } from './writer.ts'
import { isTaken } from './writer.ts'

/** The verbs for scenarios, planned scenarios, and the counts of their rules. */
export function scenarioVerbs(connection: Connection) {
  const { sqlite, insert, run, read, write } = connection
  const { version: _, ...compiledColumns } = getTableColumns(scenarioVersions)
  const version = selector(sqlite, compiledColumns)('where version = +?')
  const texts = selector(sqlite, getTableColumns(scenarioTexts))('order by id')
  const { seq: __, ...bindingColumns } = getTableColumns(bindings)
  // false sorts before true: a requestId outweighs a client, and both outweigh either.
  const fitting = selector(
    sqlite,
    bindingColumns,
  )(
    `where remaining > 0 and (client_id is null or client_id = +:clientId)
       and (request_id is null or request_id = +:requestId)
     order by request_id is null, client_id is null, seq limit 1`,
  )
  const selectListed = selector(sqlite, getTableColumns(bindings))
  const list = lister(connection, {
    letter: 'b',
    table: bindings,
    select: selectListed,
    only: 'remaining > 0',
    members: [],
    leads: [],
    present: (rows) => rows.map(({ seq: _, ...binding }) => binding),
  })

  return {
    saveScenarioVersion: (version, compiled) =>
      write(() => saveScenarioVersion(connection, version, compiled)),
    findScenarioVersion: (name) => read(() => version(name)[0] ?? null),
    saveScenarioText: (id, text) =>
      write(() => {
        run('delete from scenario_texts where id = ?', id)
        insert(scenarioTexts, { id, text })
      }),
    deleteScenarioText: (id) => write(() => void run('delete from scenario_texts where id = ?', id)),
    scenarioTexts: () => read(() => texts()),
    addBinding: (binding) => write(() => void insert(bindings, binding)),
    bindingFor: (clientId, requestId) => read(() => fitting({ clientId, requestId })[0] ?? null),
    listBindings: (query) => read(() => list(query)),
    deleteBindings: ({ id = null, clientId = null }) =>
      write(() => run(`delete from bindings ${ofIdAndClient}`, { id, clientId })),

    countAnswer: (call) =>
      write(() => {
        const { clientId, generation, rules, pins } = call
        refuseEnded(connection, clientId, generation)
        for (const rule of rules) {
          const calls = count(connection, call, rule)
          if (calls === null) continue
          if (pins !== undefined) pin(connection, pins)
          return { rule, calls }
        }
        return null
      }),
  } satisfies Partial<Store>
}

// ---- helpers that run inside the transaction of a write ------------------------------------------------

/** Stores a scenario version, unless it is stored already. */
export function saveScenarioVersion(
  { insert, value }: Connection,
  version: string,
  compiled: CompiledScenario,
): void {
  if (value('select 1 from scenario_versions where version = +?', version) === undefined)
    insert(scenarioVersions, { version, ...compiled })
}

/** Uses up one order of a planned scenario.
 *  @returns false if no order is left */
export function takeBinding({ run }: Connection, id: string): boolean {
  if (run('update bindings set remaining = remaining - 1 where id = ? and remaining > 0', id) === 0)
    return false
  // Each new order scans the planned scenarios, so used-up ones must go.
  run('delete from bindings where id = ? and remaining = 0', id)
  return true
}

/** Counts a call for a rule with answers left.
 *  @returns the count if the rule answers the call, else null */
function count(
  { insert, prepare, run }: Connection,
  { clientId, requestId, scenarioId, at }: CountedCall,
  { name, rule }: CountedRule,
): number | null {
  const place = { clientId, requestId, scenarioId, rule: name }
  const before =
    prepare<object, { calls: number; since: number }>(`select calls, since from answer_counts ${ofRule}`).get(
      place,
    ) ?? null
  const verdict = verdictOf(rule, before, at)
  if (verdict === 'over') return null
  const calls = (before?.calls ?? 0) + 1
  if (before === null) insert(answerCounts, { ...place, calls, since: at })
  else run(`update answer_counts set calls = :calls ${ofRule}`, { ...place, calls })
  return verdict === 'answers' ? calls : null
}

const ofRule =
  'where client_id = +:clientId and request_id = +:requestId and scenario_id = +:scenarioId and rule = +:rule'

/** Reserves one order of a planned scenario for a requestId. A concurrent call may have done so.
 *  @throws binding_used */
function pin(connection: Connection, { from, pinned }: NonNullable<CountedCall['pins']>): void {
  if (!takeBinding(connection, from)) throw new EmulatorError('binding_used')
  try {
    connection.insert(bindings, pinned)
  } catch (error) {
    throw isTaken(error) ? new EmulatorError('binding_used') : error
  }
}

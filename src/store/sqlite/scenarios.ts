import { and, eq, gt, sql } from 'drizzle-orm'
import type { Binding } from '../../domain/decision.ts'
import type { CompiledScenario, Store } from '../store.ts'
import type { Connection } from './connection.ts'
import { lister } from './lists.ts'
import { once, p } from './parameter.ts'
import { bindings, scenarioTexts, scenarioVersions } from './schema.ts'

/** Scenario versions, and the bindings of coming orders to scenarios. */
export function scenarioVerbs(
  connection: Connection,
): Pick<
  Store,
  | 'saveScenarioVersion'
  | 'findScenarioVersion'
  | 'saveScenarioText'
  | 'scenarioTexts'
  | 'deleteScenarioText'
  | 'addBinding'
  | 'bindingFor'
  | 'listBindings'
  | 'deleteBindings'
> {
  const { sqlite, db, write } = connection
  const version = once(() =>
    db
      .select({ scenarioJson: scenarioVersions.scenarioJson, format: scenarioVersions.format })
      .from(scenarioVersions)
      .where(eq(scenarioVersions.version, p('version')))
      .prepare(),
  )
  const texts = once(() => db.select().from(scenarioTexts).orderBy(scenarioTexts.id).prepare())
  const dropText = sqlite.prepare<[string]>('delete from scenario_texts where id = ?')
  const dropBindings = sqlite.prepare<{ id: string | null; clientId: string | null }>(
    'delete from bindings where (:id is null or id = :id) and (:clientId is null or client_id = :clientId)',
  )
  const binding = once(() =>
    db
      .select({
        id: bindings.id,
        scenario: bindings.scenario,
        clientId: bindings.clientId,
        requestId: bindings.requestId,
        remaining: bindings.remaining,
      })
      .from(bindings)
      .where(
        sql`${bindings.remaining} > 0
        and (${bindings.clientId} is null or ${bindings.clientId} = ${p('clientId')})
        and (${bindings.requestId} is null or ${bindings.requestId} = ${p('requestId')})`,
      )
      // false sorts before true: a requestId outweighs a client, and both outweigh either.
      .orderBy(sql`${bindings.requestId} is null, ${bindings.clientId} is null, ${bindings.seq}`)
      .limit(1)
      .prepare(),
  )

  // Every create call asks, and mostly nothing is planned. This process alone writes the file, so that an empty
  // table stays empty until a binding is added, or comes with a snapshot.
  const any = once(() => db.select({ seq: bindings.seq }).from(bindings).limit(1).prepare())
  let maybePlanned = true
  let seen = connection.replaced

  return {
    saveScenarioVersion: (version, compiled) =>
      write(() => saveScenarioVersion(connection, version, compiled)),
    findScenarioVersion: async (name) => version().get({ version: name }) ?? null,
    saveScenarioText: (id, text) =>
      write(() => {
        const kept = { target: scenarioTexts.id, set: { text } }
        db.insert(scenarioTexts).values({ id, text }).onConflictDoUpdate(kept).run()
      }),
    scenarioTexts: async () => texts().all(),
    deleteScenarioText: (id) => write(() => void dropText.run(id)),
    addBinding: async (planned) => {
      await write(() => void db.insert(bindings).values(planned).run())
      maybePlanned = true
    },
    bindingFor: async (clientId, requestId) => {
      if (seen !== connection.replaced) maybePlanned = true
      seen = connection.replaced
      if (!maybePlanned) return null
      const found = binding().get({ clientId, requestId })
      if (found === undefined) maybePlanned = any().get() !== undefined
      return found ?? null
    },
    listBindings: listOf(connection),
    deleteBindings: ({ id = null, clientId = null }) =>
      write(() => dropBindings.run({ id, clientId }).changes),
  }
}

/** Stores a scenario version if it is not there, part of a write. */
export function saveScenarioVersion({ db }: Connection, version: string, compiled: CompiledScenario): void {
  db.insert(scenarioVersions)
    .values({ version, ...compiled })
    .onConflictDoNothing()
    .run()
}

function listOf(connection: Connection): Store['listBindings'] {
  const list = lister<Row, Binding>(connection, {
    letter: 'b',
    seq: bindings.seq,
    filters: { clientId: bindings.clientId, requestId: bindings.requestId },
    members: { scenario: bindings.scenario, requestId: bindings.requestId },
    leads: [],
    prepare: (where, order) =>
      connection.db
        .select()
        .from(bindings)
        .where(and(where, gt(bindings.remaining, 0)))
        .orderBy(order)
        .limit(sql.placeholder('limit'))
        .prepare(),
    present: (rows) => rows.map(presented),
  })
  return async (query) => list(query)
}

type Row = typeof bindings.$inferSelect

const presented = ({ seq: _, ...binding }: Row): Binding => binding

/** Uses one of a binding up. Answers false if there is none left. */
export function bindingTaker({ sqlite }: Connection): (id: string) => boolean {
  const take = sqlite.prepare<[string]>(
    'update bindings set remaining = remaining - 1 where id = ? and remaining > 0',
  )
  // Each new order looks through the bindings, so used-up ones must not pile up.
  const forget = sqlite.prepare<[string]>('delete from bindings where id = ? and remaining = 0')
  return (id) => {
    if (take.run(id).changes === 0) return false
    forget.run(id)
    return true
  }
}

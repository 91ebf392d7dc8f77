import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'undici'
import { expect, test } from 'vitest'
import { report } from './support/figures.ts'
import { aFolder, connect, demo } from './support/load.ts'
import { startProgram } from './support/program.ts'
import { sized } from './support/size.ts'

/** A crash may cost the journal what was answered within this, and no more. */
const mayCostMs = 1_000
/** Long enough that a journal that is written less often than promised lacks much of it. */
const loadMs = 4_000

test.each(sized({ whole: [1, 8, 64], part: [1, 64] }))(
  'killed while %i connections ask all the time, the journal lacks nothing older than a second',
  async (connections) => {
    const args = ['--database', join(aFolder(), 'e.db')]
    const { child, exited, url } = await startProgram(args)
    const answered: ServiceResponse[] = []
    const load = Array.from({ length: connections }, async () => {
      const pool = connect(url, 1)
      for (let answer = await lookUp(pool); answer !== null; answer = await lookUp(pool))
        answered.push(answer)
    })
    await pause(loadMs)
    const killedAt = performance.now()
    child.kill('SIGKILL')
    await Promise.all([exited, ...load])

    const { ids, pruned } = await journalOf((await startProgram(args)).url)
    const kept = new Set(ids)
    const due = answered.filter(({ at }) => at < killedAt - mayCostMs)
    const missing = due.filter(({ id }) => !kept.has(id)).length
    report({
      area: 'crash',
      promise: `Killed while ${connections} connections ask all the time, the journal lacks at most a second`,
      test: 'test/hard/kill-journal.test.ts',
      figures: {
        answered: answered.length,
        'older than a second': due.length,
        kept: ids.length,
        pruned,
        missing,
      },
    })
    expect(due.length).toBeGreaterThan(100)
    expect(missing, 'those that are not there have been pruned').toBeLessThanOrEqual(pruned)
  },
)

interface ServiceResponse {
  /** Of its entry in the journal. */
  readonly id: string
  /** When all of the answer had come. */
  readonly at: number
}

/** Looks up an order that there is not; null once the connection has broken. */
async function lookUp(pool: Pool): Promise<ServiceResponse | null> {
  try {
    const { headers, body } = await pool.request({
      method: 'GET',
      path: '/v1/client/orders?requestId=nothing',
      headers: { 'access-token': demo.accessToken },
    })
    await body.dump()
    return { id: String(headers['emulator-request-id']), at: performance.now() }
  } catch {
    return null
  }
}

/** Ids of all entries of the journal, and how many have been pruned. */
async function journalOf(url: string): Promise<{ ids: string[]; pruned: number }> {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const answer = await fetch(`${url}/_emulator/requests?limit=1000${cursor}`)
    const { items, next, pruned } = JSON.parse(await answer.text())
    for (const { id } of items) ids.push(id)
    if (next === null) return { ids, pruned }
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
}

import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { report } from './support/figures.ts'
import { startJudge } from './support/judge.ts'
import { killedBy, proofsIn } from './support/killers.ts'
import { aFolder, connect, create } from './support/load.ts'
import { startProgram } from './support/program.ts'
import { sized } from './support/size.ts'
import { stepByStep } from './support/step-by-step.ts'

const orders = ['r-1', 'f-1', 'f-2'].map((requestId) => ({
  requestId,
  created: '1h ago',
  status: 'COMPLETED',
}))
const fixture = {
  clients: [{ clientId: 'demo-client', clock: { mode: 'manual' }, orders }, { clientId: 'another' }],
}

/** The acts, and the minimum number of steps of each. A fixture has few after its commit, and background work shifts
 *  the count. */
const acts = [
  ['a reset of everything', 'reset', {}, 'emptied', 1],
  ['a reset of everything but the clients', 'reset', { keep: ['clients'] }, 'emptied', 1],
  ['a reset of one client', 'reset?clientId=demo-client', {}, 'emptied', 1],
  ['a fixture over a client', 'fixtures?replace=true', fixture, 'replaced', 0],
  ['the restore of a snapshot', 'snapshot', aSnapshot, 'restored', 1],
] as const

test.each(acts)(
  '%s may die at each of its steps, and all or nothing of it is done',
  async (name, path, body, done, atLeast) => {
    const template = await aWorld()
    const whole = contentsOf(join(template, 'e.db'))
    const given = typeof body === 'function' ? await body() : body
    const act = (url: string) => send(url, path, given, path === 'snapshot' ? 'PUT' : 'POST')

    const after = await afterwards(template, async (folder) => {
      const { child, exited, url } = await startProgram(argumentsIn(folder))
      expect([200, 201]).toContain(await act(url))
      child.kill('SIGKILL')
      await exited
    })
    const kills = await stepByStep(async (nth) => {
      let step: string | undefined
      const { rows, counts } = await afterwards(template, async (folder) => {
        const [armedBy, proof] = [join(folder, 'armed'), join(folder, 'proof')]
        const killer = killedBy({ point: 'at a step', nth, armedBy, proof })
        const { child, exited, url } = await startProgram(argumentsIn(folder), killer)
        writeFileSync(armedBy, '')
        const answer = await act(url)
        child.kill('SIGTERM')
        await exited
        if (answer === null) step = proofsIn(proof)[0]?.sql
      })
      const left = rows === whole.rows ? 'whole' : counts === after.counts ? done : `half: ${counts}`
      return step === undefined ? null : { step, left }
    })

    const count = (left: string) => kills.filter((kill) => kill.left === left).length
    const half = kills.filter(({ left }) => left.startsWith('half'))
    report({
      area: 'crash',
      promise: `Killed in ${name}, the world is whole or ${done}`,
      test: 'test/hard/kill-reset.test.ts',
      figures: { kills: kills.length, whole: count('whole'), [done]: count(done), half: half.length },
    })
    expect(half).toEqual([])
    expect(whole.counts).not.toBe(after.counts)
    expect(count('whole')).toBeGreaterThan(0)
    expect(count(done)).toBeGreaterThanOrEqual(sized({ whole: atLeast, part: 0 }))
  },
)

const argumentsIn = (folder: string) => ['--clock', 'manual', '--database', join(folder, 'e.db')]

/** Of another world, with a client more and no orders. */
async function aSnapshot(): Promise<object> {
  const { child, exited, url } = await startProgram(argumentsIn(aFolder()))
  for (const clientId of ['one', 'two']) expect(await post(url, 'clients', { clientId })).toBe(201)
  const snapshot: object = JSON.parse(await (await fetch(`${url}/_emulator/snapshot`)).text())
  child.kill('SIGTERM')
  await exited
  return snapshot
}

/** A stopped world in which every table holds something. */
async function aWorld(): Promise<string> {
  const folder = aFolder()
  const judge = await startJudge()
  const args = [...argumentsIn(folder), '--webhook-url', judge.url]
  const { child, exited, url } = await startProgram(args)
  expect(await post(url, 'clients', { clientId: 'other' })).toBe(201)
  expect(await post(url, 'access-token', { clientId: 'demo-client', apiSecret: 'demo-secret' })).toBe(200)
  expect(await post(url, 'scenarios/next', { scenario: 'happy', requestId: 'r-9' })).toBe(201)
  const pool = connect(url, 1)
  for (const requestId of ['r-1', 'r-2', 'r-3']) expect(await create(pool, requestId)).toBe(200)
  expect(await post(url, 'clock/advance', { by: '3s' })).toBe(200)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  return folder
}

/** Acts on a copy of the folder and starts and stops the program there once more. */
async function afterwards(template: string, act: (folder: string) => Promise<void>) {
  const folder = aFolder()
  cpSync(template, folder, { recursive: true })
  await act(folder)
  const { child, exited } = await startProgram(argumentsIn(folder))
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  return contentsOf(join(folder, 'e.db'))
}

/** All rows of all tables, but for the clocks, which go on; and how many there are in each. */
function contentsOf(file: string): { rows: string; counts: string } {
  const sqlite = new Sqlite(file, { readonly: true })
  const tables = sqlite
    .prepare<[], string>("select name from sqlite_schema where type = 'table'")
    .pluck()
    .all()
  const rows = tables.map((table) => {
    const columns = table === 'clients' ? 'client_id, api_secret, access_token, webhook_url' : '*'
    return [table, sqlite.prepare(`select ${columns} from "${table}"`).all()] as const
  })
  sqlite.close()
  return {
    rows: JSON.stringify(rows),
    counts: rows.map(([table, those]) => `${table} ${those.length}`).join(', '),
  }
}

/** The status of the answer; null if none came. */
function post(url: string, path: string, body: object): Promise<number | null> {
  return send(url, path, body, 'POST')
}

async function send(url: string, path: string, body: object, method: string): Promise<number | null> {
  const headers = { 'content-type': 'application/json' }
  const target = new URL(`/_emulator/${path}`, url)
  return fetch(target, { method, headers, body: JSON.stringify(body) }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    },
    () => null,
  )
}

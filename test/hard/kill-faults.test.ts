import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { report } from './support/figures.ts'
import { aFolder, connect, create } from './support/load.ts'
import { startProgram } from './support/program.ts'
import { sized } from './support/size.ts'

const lives = sized({ whole: 12, part: 3 })
const creators = 8
const requestIdsOfEach = 60
const refusals = 2

/** Two refusals with nothing stored, then one with the order stored: no create call is ever answered with 200. */
const scenario = `id: stubborn
description: Two create calls fail, the third makes the order and fails too
timeline: []
answers:
  - { on: create-order, when: before, effect: { status: 500 }, times: ${refusals} }
  - { on: create-order, when: stored, effect: { status: 503 }, times: 1 }
`

test(`${lives} kills while API faults are pending forget no fault that was answered`, async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'stubborn.yaml'), scenario)
  const args = ['--database', join(folder, 'e.db'), '--scenarios', join(folder, 'stubborn.yaml')]
  const answers = new Map<string, (number | null)[]>()
  let asked = 0
  const next = () => (asked < creators * requestIdsOfEach ? `r-${asked++}` : undefined)
  const current: (string | undefined)[] = Array.from({ length: creators }, next)

  const live = async (ends: boolean) => {
    const program = await startProgram(args)
    const pool = connect(program.url, creators)
    if (asked === creators) await choose(program.url)
    /** Creates each order until it is there; stops with the program. */
    const work = async (creator: number) => {
      for (let requestId = current[creator]; requestId !== undefined; requestId = current[creator]) {
        const status = await create(pool, requestId)
        answers.set(requestId, [...(answers.get(requestId) ?? []), status])
        if (status === null) return
        if (status === 401) current[creator] = next()
      }
    }
    const working = Promise.all(current.map((_, creator) => work(creator)))
    if (ends) await working
    else await pause(randomInt(5, 60))
    program.child.kill('SIGKILL')
    await program.exited
    await working
    await pool.destroy()
  }
  for (let life = 0; life < lives; life++) await live(false)
  await live(true)

  const all = [...answers.values()]
  const count = (statuses: readonly (number | null)[], status: number | null) =>
    statuses.filter((one) => one === status).length
  const tooMany = all.filter((one) => count(one, 500) > refusals || count(one, 503) > 1)
  const forgotten = all.filter((one) => count(one, 200) > 0 || count(one, 500) + count(one, null) < refusals)
  report({
    area: 'crash',
    promise:
      'Killed while API faults are pending, none that was answered is forgotten, and none comes too often',
    test: 'test/hard/kill-faults.test.ts',
    figures: {
      kills: lives,
      orders: all.length,
      answered: all.flat().filter((one) => one !== null).length,
      unanswered: all.flat().filter((one) => one === null).length,
      'too many': tooMany.length,
      forgotten: forgotten.length,
    },
  })
  expect(all).toHaveLength(creators * requestIdsOfEach)
  expect(tooMany).toEqual([])
  expect(forgotten).toEqual([])
})

test(`${lives} kills while planned faults are pending forget no count`, async () => {
  const args = ['--database', join(aFolder(), 'e.db')]
  const times = 300
  const statuses: (number | null)[] = []
  let asked = 0
  const count = (status: number | null) => statuses.filter((one) => one === status).length
  const faultsOf = async (url: string) => {
    const answer = await request(`${url}/_emulator/faults`)
    return faultList.parse(await answer.body.json()).items
  }

  const live = async (isLast: boolean) => {
    const program = await startProgram(args)
    const pool = connect(program.url, creators)
    if (asked === 0) {
      await plan(program.url, { on: 'create-order', when: 'before', effect: { status: 500 }, times })
      await plan(program.url, { on: 'create-order', when: 'stored', effect: { status: 503 }, times })
    }
    /** Creates orders until nothing is wrong with them any more; stops with the program. */
    const work = async () => {
      for (;;) {
        const status = await create(pool, `r-${asked++}`)
        statuses.push(status)
        if (status === null || status === 200) return
      }
    }
    const working = Promise.all(Array.from({ length: creators }, work))
    if (isLast) await working
    else await pause(randomInt(5, 60))
    const kept = isLast ? await faultsOf(program.url) : []
    program.child.kill('SIGKILL')
    await program.exited
    await working
    await pool.destroy()
    return kept
  }
  for (let life = 0; life < lives; life++) await live(false)
  const kept = await live(true)

  const lost = [500, 503].map((status) => times - count(status))
  report({
    area: 'crash',
    promise:
      'Killed while planned faults are pending, their counts are forgotten nowhere and exceeded nowhere',
    test: 'test/hard/kill-faults.test.ts',
    figures: {
      kills: lives,
      faults: 2 * times,
      answered: count(500) + count(503),
      unanswered: count(null),
      'too many': lost.filter((one) => one < 0).length,
    },
  })
  expect(kept).toEqual([
    { hits: times, over: true },
    { hits: times, over: true },
  ])
  // Counted and not answered is only what a kill has cut off.
  expect(Math.min(...lost)).toBeGreaterThanOrEqual(0)
  expect(lost[0]).toBeLessThanOrEqual(count(null))
  expect(lost[1]).toBeLessThanOrEqual(count(null))
  expect(count(500) + count(503)).toBeGreaterThan(times)
})

const faultList = z.object({ items: z.array(z.object({ hits: z.int(), over: z.boolean() })) })

async function plan(url: string, fault: object): Promise<void> {
  const answer = await request(`${url}/_emulator/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  })
  expect(answer.statusCode, await answer.body.text()).toBe(201)
}

async function choose(url: string): Promise<void> {
  const answer = await request(`${url}/_emulator/clients/demo-client`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ defaultScenario: 'stubborn' }),
  })
  expect(answer.statusCode, await answer.body.text()).toBe(200)
}

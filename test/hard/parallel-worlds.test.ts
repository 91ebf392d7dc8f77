import { expect, test } from 'vitest'
import type { TestEmulator } from '../support/emulator.ts'
import { parseExposition } from '../support/exposition.ts'
import { report } from './support/figures.ts'
import { startRemote } from './support/remote.ts'
import { sized } from './support/size.ts'
import { playedByEach } from './support/world/plan.ts'
import type { Told } from './support/world/play.ts'
import { startWorldProcess } from './support/world-process.ts'

const worlds = Array.from({ length: sized({ whole: 50, part: 8 }) }, (_, world) => world)
/** Beside each other on emulators of their own. */
const aloneAtOnce = 4
const flags = ['--clock', 'manual', '--start-time', '2026-04-21T16:00:00Z', '--seed', 'worlds']

test(`${worlds.length} processes play ${playedByEach} scenarios each on one emulator, and see what they would see alone`, async () => {
  const { emulator } = await startRemote(flags)
  const begun = performance.now()
  const processes = worlds.map(() => startWorldProcess())
  await Promise.all(processes.map((each, world) => each.begin(emulator.url, world)))
  const trouble = makeTrouble(emulator)
  const started = performance.now()
  const crowd = await Promise.all(processes.map((each) => each.play()))
  const ended = performance.now()
  const rounds = await trouble.stop()

  const metrics = parseExposition((await emulator.control('/metrics')).text)
  const alone = await playedAlone()
  const sum = (count: (told: Told) => number) => crowd.reduce((all, told) => all + count(told), 0)
  const differences = worlds.flatMap((world) => firstDifference(world, crowd[world], alone[world]) ?? [])
  const strangers = crowd.flatMap((told, world) => told.strangers.map((text) => `world ${world}: ${text}`))
  report({
    area: 'worlds',
    promise: `${worlds.length} processes with the same requestIds on one emulator see what each sees alone`,
    test: 'test/hard/parallel-worlds.test.ts',
    figures: {
      orders: worlds.length * playedByEach,
      calls: sum(({ calls }) => calls),
      webhooks: sum(({ webhooks }) => webhooks),
      'worlds that others made, reset and removed meanwhile': rounds,
      'worlds that differ': differences.length,
      'things of another world': strangers.length,
      'seconds, of which processes start': Number(((ended - begun) / 1000).toFixed(1)),
      'seconds of play': Number(((ended - started) / 1000).toFixed(1)),
    },
  })
  expect(strangers).toEqual([])
  expect(differences).toEqual([])
  const made = metrics.get('payment_order_emulator_orders_created_total')?.samples ?? []
  expect(made.reduce((all, { value }) => all + value, 0)).toBeGreaterThan(worlds.length * playedByEach)
  expect(sum(({ webhooks }) => webhooks)).toBeGreaterThan(worlds.length * playedByEach)
})

/** Each world once more, with nothing beside it. */
async function playedAlone(): Promise<Told[]> {
  const told: Told[] = []
  const sequences = Array.from({ length: aloneAtOnce }, async (_, place) => {
    const { emulator } = await startRemote(flags)
    const process = startWorldProcess()
    for (const world of worlds.filter((each) => each % aloneAtOnce === place)) {
      await process.begin(emulator.url, world)
      told[world] = await process.play()
    }
  })
  await Promise.all(sequences)
  return told
}

/** Disturbs only itself: clients are created, reset and removed with open orders, one client changes under its
 *  scenario, and one runs for ever. */
function makeTrouble(emulator: TestEmulator): { stop: () => Promise<number> } {
  let isOver = false
  let rounds = 0
  const round = async () => {
    const client = await emulator.addClient({ defaultScenario: 'token-expires-midflow' })
    const query = `?clientId=${client.clientId}`
    const creates = ['order-1', 'order-2', 'order-3'].map((requestId) => client.createCheckout(requestId))
    await Promise.all([...creates, client.change({ settings: { webhook: { retry: { max: 1 } } } })])
    const moves = [client.advance('1m'), client.change({ defaultScenario: 'happy' })]
    await Promise.all([...moves, emulator.control(`/reset${query}`, 'POST', {})])
    await client.createCheckout('order-1')
    // Gone while its clock moves: the advance says so.
    const gone = client.advance('40d').catch(() => undefined)
    await Promise.all([gone, emulator.control(`/clients/${client.clientId}`, 'DELETE')])
    rounds += 1
  }
  const rounding = (async () => {
    while (!isOver) await round()
  })()
  const endless = endlessWorld(emulator)
  return {
    stop: async () => {
      isOver = true
      await rounding
      await endless.stop()
      return rounds
    },
  }
}

function endlessWorld(emulator: TestEmulator): { stop: () => Promise<void> } {
  const clientId = 'endless'
  const advanced = (async () => {
    const client = await emulator.addClient({
      clientId,
      settings: { subscription: { intervals: ['DAILY'] } },
    })
    await client.createSubscription(client.subscription('order-1', { interval: 'DAILY' }))
    const body = { by: 'P1000Y', timeoutMs: 600_000 }
    const path = `/_emulator/clock/advance?clientId=${clientId}`
    return emulator.send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  })()
  return {
    stop: async () => {
      await emulator.control(`/clients/${clientId}`, 'DELETE')
      expect((await advanced).status).toBe(404)
    },
  }
}

function firstDifference(world: number, crowd: Told | undefined, alone: Told | undefined): string | null {
  const mine = [...(crowd?.story ?? []), 'end']
  const theirs = [...(alone?.story ?? []), 'end']
  const at = mine.findIndex((line, n) => line !== theirs[n])
  return at === -1
    ? null
    : `world ${world}, line ${at}:\n  in the crowd ${mine[at]}\n  alone        ${theirs[at]}`
}

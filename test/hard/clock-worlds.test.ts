import { expect, test } from 'vitest'
import type { TestEmulator } from '../support/emulator.ts'
import { report } from './support/figures.ts'
import { startRemote } from './support/remote.ts'
import { sized } from './support/size.ts'
import { firstDifference, populate, startFickle, storyOf, type World, worldOf } from './support/two-worlds.ts'

const seeds = sized({ whole: 50, part: 10 })
/** Many in one world, fewer in the others, which vary more than they crowd. */
const ordersOf = (seed: number) => (seed === 0 ? 500 : 50)
const days = 30
const atOnce = 5

test(`thirty days at once end as thirty days step by step, for ${seeds} seeds`, async () => {
  const receiver = await startFickle()
  const flags = ['--clock', 'manual', '--start-time', '2026-04-21T16:00:00Z', '--seed', 'worlds']
  const [leaping, walking] = await Promise.all([startRemote(flags), startRemote(flags)])
  const begun = performance.now()

  const live = async (emulator: TestEmulator, path: string, seed: number, steps: World['steps']) => {
    const world = worldOf(seed, ordersOf(seed), days)
    const fields = { clientId: `c${seed}`, webhookUrl: `${receiver.url}/${path}`, settings: world.settings }
    const client = await emulator.addClient(fields)
    await populate(client, world)
    const ledgers = []
    for (const ms of steps) ledgers.push(await client.advance(`${ms}ms`))
    return storyOf(emulator, client, ledgers)
  }
  const differences: { seed: number; difference: readonly [leap: string, walk: string] }[] = []
  let orders = 0
  let transitions = 0
  let attempts = 0
  const compare = async (seed: number) => {
    const { steps } = worldOf(seed, ordersOf(seed), days)
    const [leap, walk] = await Promise.all([
      live(leaping.emulator, 'leap', seed, [steps.reduce((sum, ms) => sum + ms, 0)]),
      live(walking.emulator, 'walk', seed, steps),
    ])
    orders += ordersOf(seed)
    transitions += leap.transitions.length
    attempts += leap.attempts.length
    const difference = firstDifference(leap, walk)
    if (difference !== null) differences.push({ seed, difference })
  }
  for (let seed = 0; seed < seeds; seed += atOnce) {
    const these = Array.from({ length: Math.min(atOnce, seeds - seed) }, (_, n) => seed + n)
    await Promise.all(these.map(compare))
  }
  report({
    area: 'clock',
    promise: `${days} days at once end as ${days} days step by step`,
    test: 'test/hard/clock-worlds.test.ts',
    figures: {
      seeds,
      orders,
      transitions,
      'attempts in the ledgers': attempts,
      'webhooks in all': receiver.arrivals(),
      'seeds that differ': differences.length,
      seconds: Number(((performance.now() - begun) / 1000).toFixed(1)),
    },
  })
  expect(transitions).toBeGreaterThan(orders)
  expect(attempts).toBeGreaterThan(orders)
  expect(differences).toEqual([])
})

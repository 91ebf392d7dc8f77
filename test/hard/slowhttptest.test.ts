import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { percentile, report } from './support/figures.ts'
import { isInstalled, runToItsEnd } from './support/foreign-program.ts'
import { startRemote } from './support/remote.ts'
import { sized } from './support/size.ts'

const slowForSeconds = sized({ whole: 20, part: 12 })
const connectionsEach = 350
/** Slow headers, slow bodies, overlapping ranges, answers that are read slowly. */
const slowAttacks: readonly (readonly [string, readonly string[]])[] = [
  ['/v1/client/orders', ['-H', '-i', '5']],
  ['/v1/client/checkout/create-order', ['-B', '-i', '5', '-s', '8192', '-t', 'POST']],
  ['/_emulator/docs', ['-R', '-a', '10', '-b', '3000']],
  ['/_emulator/openapi-control.json', ['-X', '-w', '10', '-y', '20', '-n', '5', '-z', '32', '-k', '3']],
]

test.skipIf(!isInstalled('slowhttptest'))('slowhttptest keeps nobody else from being served', async () => {
  const { emulator } = await startRemote([])
  const client = await emulator.addClient()
  const quiet = await latencies(() => client.fiatOrders('r1'), 2)
  const attacks = slowAttacks.map(([path, args]) =>
    runToItsEnd('slowhttptest', [
      ...[
        '-c',
        `${connectionsEach}`,
        '-r',
        '200',
        '-l',
        `${slowForSeconds}`,
        '-p',
        '3',
        '-u',
        `${emulator.url}${path}`,
      ],
      ...args,
    ]),
  )
  const beside = await latencies(() => client.fiatOrders('r1'), slowForSeconds)
  await Promise.all(attacks)
  report({
    area: 'scanners',
    promise: 'slowhttptest, in all its four ways at once, keeps nobody else from being served',
    test: 'test/hard/slowhttptest.test.ts',
    figures: {
      'slow connections': connectionsEach * slowAttacks.length,
      'calls meanwhile': beside.length,
      'call p50 alone (ms)': rounded(percentile(quiet, 0.5)),
      'call p50 beside it (ms)': rounded(percentile(beside, 0.5)),
      'call p99 beside it (ms)': rounded(percentile(beside, 0.99)),
      'call max beside it (ms)': rounded(Math.max(...beside)),
    },
  })
  expect(percentile(beside, 0.99)).toBeLessThan(300)
  expect((await client.createCheckout('afterwards')).status).toBe(200)
})

const rounded = (ms: number) => Number(ms.toFixed(1))

/** How long calls take, one every 20 ms; each must be answered. */
async function latencies(call: () => Promise<{ status: number }>, seconds: number): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; await pause(20)) {
    const begun = performance.now()
    expect((await call()).status).toBe(200)
    times.push(performance.now() - begun)
  }
  return times
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type CaseId, Conformance } from '../../../src/conform/index.ts'
import { freePort } from '../../../tools/free-port.ts'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** A shop that is asked for its orders over a port, which closes when it dies. */
async function overPort(shop: ModelShop) {
  const server = createServer((request, response) => {
    response.end(JSON.stringify(shop.show(request.url?.slice(1) ?? '')))
  })
  const port = await freePort()
  const listen = () => once(server.listen(port, '127.0.0.1'), 'listening')
  await listen()
  onTestFinished(() => void server.close())
  const statuses = { CREATED: 'CREATED', COMPLETED: 'COMPLETED', FAILED: 'FAILED' }
  const url = `http://127.0.0.1:${port}/{requestId}`
  return {
    config: { ...shop.config, probe: { url, status: '/status', statuses, effects: '/effects' } },
    die: () => {
      server.close()
      server.closeAllConnections()
    },
    rise: listen,
  }
}

/** Runs three cases against a shop that dies in the first of them, as soon as an order has failed. */
async function dyingIn(fatal: CaseId, { risesAgain }: { risesAgain: boolean }) {
  let end = () => {}
  class Mortal extends ModelShop {
    override act(requestId: string, record: FiatRecord) {
      super.act(requestId, record)
      if (record.orderStatus === 'FAILED') end()
    }
  }
  const { config, die, rise } = await overPort(await world.open(Mortal))
  const run = new Conformance(world.emulator, config, {
    only: [fatal, 'K10', 'K12'],
    onCase: ({ id }) => {
      end = () => {
        if (id !== fatal) return
        die()
        if (risesAgain) void rise()
      }
    },
  })
  return run.run()
}

test('an application that dies fails the case in which it died, and the others are not seen', async () => {
  const report = await dyingIn('K02', { risesAgain: false })
  expect(report.ok).toBe(false)
  expect(report.problems).toEqual([])
  expect(resultOf(report, 'K02')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'crashed' } })
  for (const id of ['K10', 'K12'] as const)
    expect(resultOf(report, id)).toMatchObject({
      verdict: 'NOT-SEEN',
      note: 'the application stopped running in K02',
    })
})

test('dying is a failure, whatever the level of the case', async () => {
  const report = await dyingIn('K36', { risesAgain: false })
  expect(resultOf(report, 'K36')).toMatchObject({ level: 'SHOULD', verdict: 'FAIL' })
  expect(resultOf(report, 'K36').finding?.should).toMatch(/^Keep running/)
})

test('an application that somebody starts again is asked on', async () => {
  const report = await dyingIn('K02', { risesAgain: true })
  expect(resultOf(report, 'K10').verdict).toBe('PASS')
})

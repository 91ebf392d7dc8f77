import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { HmacShop, VerifyingShop } from '../support/verifying-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.each([
  ['standard', VerifyingShop],
  ['hmac-body', HmacShop],
])('passes an application that verifies %s over the bytes', async (_, shop) => {
  const report = await world.run(await world.open(shop), ['K05'])
  expect(resultOf(report, 'K05').verdict).toBe('PASS')
})

test.each([
  ['parses the body and writes it again', (text: string) => JSON.stringify(JSON.parse(text)), 'indented'],
  [
    'sorts the members',
    (text: string) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).toSorted())),
    'in another order',
  ],
  ['takes a letter for a byte', (text: string) => Buffer.from(text).toString('latin1'), 'non-ASCII'],
])('warns of one that %s before it verifies', async (_, written, words) => {
  class Rewriting extends VerifyingShop {
    override isGenuine(bytes: Buffer, headers: Record<string, string>) {
      // As the service writes it, so that all is well until it writes otherwise.
      const usual = /^\{"requestId".*"eventType":"[^"]*"\}$/.test(bytes.toString('utf8'))
      const body = usual ? bytes.toString('utf8') : written(bytes.toString('utf8'))
      return headers['webhook-signature'] === this.rightSignature(body, headers)
    }
  }
  const report = await world.run(await world.open(Rewriting), ['K05'])
  expect(report.ok).toBe(true)
  expect(resultOf(report, 'K05')).toMatchObject({
    verdict: 'WARN',
    finding: { defect: 'refused', did: expect.stringContaining(words), sent: { status: 401 } },
  })
})

test('says nothing of one that refuses members that it does not know', async () => {
  class Strict extends VerifyingShop {
    override async webhook(request: Request) {
      const { note } = JSON.parse(await request.clone().text())
      return note === undefined ? super.webhook(request) : new Response('note', { status: 422 })
    }
  }
  const report = await world.run(await world.open(Strict), ['K05'])
  expect(resultOf(report, 'K05')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringContaining('K23') })
})

test('is not asked where no signature is configured', async () => {
  const report = await world.run(await world.open(ModelShop), ['K05'])
  expect(resultOf(report, 'K05').verdict).toBe('NOT-SEEN')
})

test('says nothing of orders that it has not created', async () => {
  const report = await world.run(await world.open(VerifyingShop), ['K05'], { start: undefined })
  expect(resultOf(report, 'K05')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('`start`'),
  })
})

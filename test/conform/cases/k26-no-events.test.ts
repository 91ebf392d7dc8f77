import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Answers what it cannot read, or cannot take, in a way of its own. */
function clumsy(
  meets: (body: string, request: Request) => boolean,
  answer: () => Response | Promise<Response>,
) {
  return class extends ModelShop {
    override async webhook(request: Request) {
      return meets(await request.clone().text(), request) ? answer() : super.webhook(request)
    }
  }
}

const unreadable = (body: string) => {
  try {
    JSON.parse(body)
    return false
  } catch {
    return true
  }
}

test('passes an application that answers 400', async () => {
  const report = await world.run(await world.open(ModelShop), ['K26'])
  expect(resultOf(report, 'K26').verdict).toBe('PASS')
})

test('passes one that answers 400 with the webhook URL alone', async () => {
  const alone = { start: undefined, probe: undefined }
  const report = await world.run(await world.open(ModelShop), ['K26'], alone)
  expect(resultOf(report, 'K26').verdict).toBe('PASS')
})

test('warns of one that answers 500, and names each of the messages', async () => {
  const Throwing = clumsy(unreadable, () => new Response('SyntaxError', { status: 500 }))
  const report = await world.run(await world.open(Throwing), ['K26'])
  expect(report.ok).toBe(true)
  expect(resultOf(report, 'K26')).toMatchObject({
    verdict: 'WARN',
    finding: {
      defect: 'server-error',
      did: 'It answered 500 to half a JSON text; it answered 500 to an empty body.',
      sent: { status: 500, answer: 'SyntaxError' },
    },
  })
})

test('warns of one that breaks the connection over a list', async () => {
  const Breaking = clumsy(
    (body) => body.startsWith('['),
    () => Promise.reject(new TypeError('not iterable')),
  )
  const report = await world.run(await world.open(Breaking), ['K26'])
  expect(resultOf(report, 'K26')).toMatchObject({
    verdict: 'WARN',
    finding: { defect: 'no-answer', did: expect.stringContaining('a list instead of an object') },
  })
})

test('lets one cut off what is too big for it', async () => {
  const Small = clumsy(
    (body) => body.length > 100_000,
    () => Promise.reject(new Error('too big')),
  )
  const report = await world.run(await world.open(Small), ['K26'])
  expect(resultOf(report, 'K26').verdict).toBe('PASS')
})

test('warns of one that hangs over text/plain', async () => {
  const Hanging = clumsy(
    (_, { headers }) => headers.get('content-type') === 'text/plain',
    () => new Promise<Response>(() => undefined),
  )
  const shop = await world.open(Hanging)
  await shop.client.changeSettings({ 'webhook.timeout': '100ms' })
  const report = await world.run(shop, ['K26'])
  expect(resultOf(report, 'K26')).toMatchObject({ verdict: 'WARN', finding: { defect: 'no-answer' } })
})

test('warns of one that takes nothing any more afterwards', async () => {
  class Fragile extends ModelShop {
    #broken = false
    override async webhook(request: Request) {
      this.#broken ||= (await request.clone().text()) === ''
      if (this.#broken) throw new Error('broken')
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Fragile), ['K26'])
  expect(resultOf(report, 'K26')).toMatchObject({
    verdict: 'WARN',
    finding: { defect: 'crashed', did: expect.stringContaining('answered no more webhooks') },
  })
})

test('says nothing of one that answers 500 to plain webhooks, too', async () => {
  const Broken = clumsy(
    () => true,
    () => new Response(null, { status: 500 }),
  )
  const report = await world.run(await world.open(Broken), ['K26'], { probe: undefined })
  expect(resultOf(report, 'K26').finding).toBe(null)
})

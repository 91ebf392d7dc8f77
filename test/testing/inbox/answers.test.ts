import { describe, expect, test } from 'vitest'
import { forms } from '../support/forms.ts'
import { type ClientWithInbox, checkout, openInboxAt } from '../support/inbox.ts'
import { sharedEmulator } from '../support/shared-emulator.ts'

describe.each(forms)('an inbox of an emulator %s', (_, begin) => {
  const emulator = sharedEmulator(begin)
  const outcomes = async ({ client }: ClientWithInbox) =>
    (await client.deliveries.list()).flatMap(({ attempts }) =>
      attempts.map(({ outcome, status }) => status ?? outcome),
    )

  test('answers badly until it is told to be good, and tells the attempts apart', async () => {
    const opened = await openInboxAt(emulator())
    const { client, inbox } = opened
    inbox.answer(500)
    await client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    await client.clock.advance('1s')
    inbox.answer(200)
    await client.clock.advance('1m')
    expect(await outcomes(opened)).toEqual([500, 500, 200])
    expect(inbox.webhooks.map(({ attempt, answered }) => [attempt, answered])).toEqual([
      [1, 500],
      [2, 500],
      [3, 200],
    ])
    expect(new Set(inbox.webhooks.map(({ webhookId }) => webhookId)).size).toBe(1)
  })

  test('answers once each, in turn, and then as before', async () => {
    const opened = await openInboxAt(emulator())
    const { client, inbox } = opened
    inbox.answer(202)
    inbox.answerOnce('reset', { status: 503, headers: { 'retry-after': '60' }, body: 'busy' })
    await client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    await client.clock.advance('59s')
    expect(await outcomes(opened)).toEqual(['connection', 503])
    await client.clock.advance('2s')
    expect(await outcomes(opened)).toEqual(['connection', 503, 202])
    expect(inbox.webhooks.map(({ answered }) => answered)).toEqual([null, 503, 202])
  })

  test('forgets what was planned for the next ones when it is told how to answer all', async () => {
    const opened = await openInboxAt(emulator())
    opened.inbox.answerOnce(500, 'reset')
    opened.inbox.answer(202)
    await opened.client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    await opened.client.clock.settle()
    expect(await outcomes(opened)).toEqual([202])
  })

  test('hangs until the emulator gives up', async () => {
    const opened = await openInboxAt(emulator(), { settings: { 'webhook.timeout': '20ms' } })
    opened.inbox.answerOnce('hang')
    await opened.client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    expect(await opened.inbox.next()).toMatchObject({ answered: null })
    await opened.client.clock.settle()
    expect(await outcomes(opened)).toEqual(['timeout'])
  })

  test('puts an answer off', async () => {
    const opened = await openInboxAt(emulator())
    opened.inbox.answer({ status: 201, delayMs: 30 })
    await opened.client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    expect((await opened.inbox.next()).answered).toBeNull()
    await opened.client.clock.settle()
    expect(await outcomes(opened)).toEqual([201])
    expect(opened.inbox.webhooks).toMatchObject([{ answered: 201 }])
  })

  test('answers as a function decides, which sees the webhook', async () => {
    const opened = await openInboxAt(emulator())
    const { client, inbox } = opened
    inbox.answer(async ({ event, attempt }) =>
      event.orderStatus === 'CREATED' && attempt === 1 ? { status: 409, body: 'not known yet' } : 200,
    )
    await client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    await client.clock.advance('2s')
    expect(await outcomes(opened)).toEqual([409, 200])
  })

  test.each([
    ['throws', () => Promise.reject(new Error('no idea')), 'no idea'],
    ['answers what is no status', () => 99, 'from 200 to 599, not 99'],
  ])('answers 500 and says why where the function %s', async (__, decide, words) => {
    const { client, inbox } = await openInboxAt(emulator())
    inbox.answer(decide)
    await client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    await client.clock.settle()
    const [delivery] = await client.deliveries.list()
    expect(delivery?.attempts).toMatchObject([{ status: 500, responseBody: expect.stringContaining(words) }])
  })

  test('refuses to plan a status that there is not', async () => {
    const { inbox } = await openInboxAt(emulator())
    expect(() => inbox.answer(1000)).toThrow(/from 200 to 599, not 1000/)
    expect(() => inbox.answerOnce(200, { status: 20.5 })).toThrow(RangeError)
  })

  test('uses no planned answer up for what it refuses', async () => {
    const { client, inbox } = await openInboxAt(emulator())
    inbox.answerOnce(503)
    await client.deliveries.send({ clientId: client.clientId, body: {}, sign: 'wrong' })
    await client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    await client.clock.settle()
    expect(inbox.webhooks.map(({ answered }) => answered)).toEqual([401, 503])
  })

  test('counts copies of one moment, told apart by nothing but that', async () => {
    const { client, inbox } = await openInboxAt(emulator(), { settings: { 'webhook.auth': 'none' } })
    await client.createCheckoutOrder(checkout, { scenario: 'webhook-duplicate' })
    await client.clock.advance('1h')
    const copies = await inbox.waitFor({ orderStatus: 'COMPLETED' }, { count: 3 })
    expect(copies.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
  })
})

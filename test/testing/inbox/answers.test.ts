import { describe, expect, test } from 'vitest'
import type { WebhookInbox } from '../../../src/index.ts'
import { forms } from '../support/forms.ts'
import { type ClientWithInbox, checkout, openInboxAt } from '../support/inbox.ts'
import { sharedEmulator } from '../support/shared-emulator.ts'

/** As a test in JavaScript may call it. */
const answerUntyped = (inbox: WebhookInbox, answering: unknown) =>
  Reflect.apply(inbox.answer, inbox, [answering])

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

  test('puts an answer off for longer than timers go', async () => {
    const opened = await openInboxAt(emulator(), { settings: { 'webhook.timeout': '50ms' } })
    opened.inbox.answerOnce({ delayMs: 1e12 })
    await opened.client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    await opened.client.clock.settle()
    expect(await outcomes(opened)).toEqual(['timeout'])
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

  test.each<[string, () => unknown, string]>([
    ['throws', () => Promise.reject(new Error('no idea')), 'no idea'],
    ['answers what is no status', () => 99, 'from 200 to 599 as the answer to a webhook, not 99'],
    ['forgets to answer', () => undefined, 'not undefined'],
    ['answers as `fetch` does', () => new Response('ok'), 'not Response'],
  ])('answers 500 and says why where the function %s', async (__, decide, words) => {
    const { client, inbox } = await openInboxAt(emulator())
    answerUntyped(inbox, decide)
    await client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    await client.clock.settle()
    const [delivery] = await client.deliveries.list()
    expect(delivery?.attempts).toMatchObject([{ status: 500, responseBody: expect.stringContaining(words) }])
  })

  test.each<[unknown, string | RegExp]>([
    [1000, 'from 200 to 599 as the answer to a webhook, not 1000'],
    [{ status: 20.5 }, 'from 200 to 599 as the answer to a webhook, not 20.5'],
    [{ status: '500' }, "from 200 to 599 as the answer to a webhook, not '500'"],
    ['500', "or { status, headers, body, delayMs } as the answer to a webhook, not '500'"],
    ['hnag', "not 'hnag'; did you mean `hang`?"],
    [{ stauts: 500 }, 'unknown option `stauts`; did you mean `status`?'],
    [[500, 'reset'], "not [ 500, 'reset' ]"],
    [undefined, 'not undefined'],
    [null, 'not null'],
    [{ body: { error: 'busy' } }, "`body` of an answer: expected a string, not { error: 'busy' }"],
    [{ headers: ['retry-after: 1'] }, '`headers` of an answer: expected an object, not ['],
    [
      { headers: { 'retry-after': undefined } },
      'Header retry-after of an answer: expected a string, not undefined',
    ],
    [{ headers: { 'retry after': '1' } }, 'Header name must be a valid HTTP token'],
    [{ headers: { 'retry-after': 'a\nb' } }, 'Invalid character in header content'],
    [
      { headers: { 'Content-Length': '9' } },
      'Header Content-Length of an answer: leave it out, it is set from the body',
    ],
    [{ delayMs: '30' }, "`delayMs` of an answer: expected 0 or more, not '30'"],
    [{ delayMs: Number.NaN }, '`delayMs` of an answer: expected 0 or more, not NaN'],
  ])('refuses to plan %j, which is no answer, and keeps to what was planned', async (nonsense, words) => {
    const opened = await openInboxAt(emulator())
    opened.inbox.answerOnce(503)
    expect(() => answerUntyped(opened.inbox, nonsense)).toThrow(words)
    expect(() => Reflect.apply(opened.inbox.answerOnce, opened.inbox, [200, nonsense])).toThrow(words)
    await opened.client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    await opened.client.clock.advance('1s')
    expect(await outcomes(opened)).toEqual([503, 200])
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

import { describe, expect, test } from 'vitest'
import { type NewClient, UnexpectedWebhook, WebhookMissing } from '../../../src/index.ts'
import { openInbox } from '../../../src/testing/inbox/webhook-inbox.ts'
import { forms } from '../support/forms.ts'
import { checkout, openInboxAt } from '../support/inbox.ts'
import { sharedEmulator } from '../support/shared-emulator.ts'

describe.each(forms)('a webhook inbox of an emulator %s', (_, begin) => {
  const emulator = sharedEmulator(begin)
  const open = (fields?: NewClient) => openInboxAt(emulator(), fields)
  /** With the webhook of a CREATED order on its way. */
  const openWithOrder = async () => {
    const opened = await open()
    return { ...opened, order: await opened.client.createCheckoutOrder(checkout) }
  }
  const inVain = (waiting: Promise<unknown>) => waiting.then(String, String)

  test('gives the webhooks one after the other, with all that is to know of each', async () => {
    const { client, inbox, order } = await openWithOrder()
    const created = await inbox.next({ requestId: order.requestId })
    await client.clock.advance('10m')
    expect(created).toMatchObject({
      event: { orderStatus: 'CREATED', clientId: client.clientId, orderType: 'CHECKOUT' },
      signature: 'ok',
      webhookId: expect.stringMatching(/^msg_/),
      attempt: 1,
      receivedAt: expect.any(Number),
      answered: 200,
    })
    expect(JSON.parse(created.text)).toEqual(created.event)
    expect(created.headers['webhook-id']).toBe(created.webhookId)
    expect((await inbox.next()).event.orderStatus).toBe('COMPLETED')
    expect(inbox.webhooks).toHaveLength(2)
  })

  test('gives each to one of those who wait, in the order in which they began to', async () => {
    const { client, inbox } = await open()
    const first = inbox.next()
    const completed = inbox.next({ orderStatus: 'COMP*' })
    const second = inbox.next()
    await client.createCheckoutOrder(checkout, { scenario: 'two-leg-events' })
    await client.clock.advance('1h')
    const given = await Promise.all([first, completed, second])
    expect(new Set(given).size).toBe(3)
    expect(given[0]?.event.orderStatus).toBe('CREATED')
    expect(given[1]?.event.orderStatus).toBe('COMPLETED')
  })

  test('waits for so many without taking them', async () => {
    const { client, inbox } = await open()
    const both = inbox.waitFor({ orderStatus: 'CREATED' }, { count: 2 })
    await Promise.all([client.createCheckoutOrder(checkout), client.createCheckoutOrder(checkout)])
    expect(await both).toHaveLength(2)
    expect(await inbox.waitFor((webhook) => webhook.attempt === 1)).toEqual(await both)
    expect([await inbox.next(), await inbox.next()]).toEqual(await both)
  })

  test('ends a wait whose own function throws, and neither another wait nor the answer', async () => {
    const { client, inbox } = await open()
    const throwing = inbox.next(() => {
      throw new RangeError('of the test')
    })
    const other = inbox.next()
    await client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    await expect(throwing).rejects.toThrow(new RangeError('of the test'))
    expect(await other).toMatchObject({ answered: 200 })
    await client.clock.settle()
    expect(await client.deliveries.list()).toMatchObject([{ attempts: [{ outcome: 'accepted' }] }])
  })

  test.each([
    [{ timeout: 100 }, 'unknown option `timeout`; did you mean `timeoutMs`?'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs: expected milliseconds, 0 or more, not NaN'],
    [{ timeoutMs: -1 }, 'not -1'],
    [{ signature: 'wrnog' }, "signature: expected 'ok', 'wrong' or 'any', not 'wrnog'"],
    [{ count: '2' }, "count: expected a number of webhooks, not '2'"],
  ])('does not wait as %j says, which it does not understand', async (wait, words) => {
    const { inbox } = await open()
    for (const method of [inbox.next, inbox.waitFor])
      await expect(Reflect.apply(method, inbox, [{}, wait])).rejects.toThrow(words)
  })

  test('does not take the promise of an async function for a yes', async () => {
    const { inbox } = await openWithOrder()
    const where: unknown = async () => false
    for (const method of [inbox.next, inbox.waitFor, inbox.none])
      await expect(Reflect.apply(method, inbox, [where])).rejects.toThrow('do not pass an async function')
  })

  test('waits as long as it takes if it is told to', async () => {
    const { client, inbox } = await open()
    const waiting = inbox.next({}, { timeoutMs: Number.POSITIVE_INFINITY })
    // Takes longer than the millisecond that Node makes of Infinity.
    await client.clock.settle()
    await client.createCheckoutOrder(checkout)
    expect(await waiting).toMatchObject({ signature: 'ok' })
  })

  describe('in vain', () => {
    test('tells what came instead, what fits but was taken, and what is due', async () => {
      const { inbox, order } = await openWithOrder()
      await inbox.next()
      await inbox.none()
      const waiting = inbox.next({ orderStatus: 'COMPLETED' }, { timeoutMs: 0 })
      await expect(waiting).rejects.toBeInstanceOf(WebhookMissing)
      const message = await inVain(inbox.waitFor({ orderStatus: 'COMPLETED' }, { timeoutMs: 0, count: 2 }))
      expect(message).toContain('0 instead of 2 times a webhook with {"orderStatus":"COMPLETED"} came')
      expect(message).toContain(
        `CREATED of ${order.requestId}, signature ok, answered 200: orderStatus is "CREATED", not "COMPLETED"`,
      )
      expect(message).toMatch(
        /clock is stopped at \S+; the next event is due at \S+Z \(call client\.clock\.advanceToNext\(\)\)/,
      )
      expect(await inVain(inbox.next({}, { timeoutMs: 0 }))).toContain('answered 200: already taken')
      expect(await inVain(inbox.next({ orderStatus: 'FAILED' }, { timeoutMs: 0 }))).toContain('not "FAILED"')
    })

    test('points at the line of the test', async () => {
      const { inbox } = await open()
      const error = await inbox.next({}, { timeoutMs: 0 }).catch((missing: unknown) => missing)
      const [, firstFrame] = error instanceof Error ? (error.stack ?? '').split(/\n(?= {4}at )/) : []
      expect(firstFrame).toContain('webhook-inbox.test.ts')
    })

    test('tells that nothing was sent at all, and where time goes on by itself', async () => {
      const { inbox } = await open({ clock: { mode: 'real', speed: 2 } })
      const message = await inVain(inbox.next({}, { timeoutMs: 0 }))
      expect(message).toContain('No webhook at all came within 0 ms.\nNo webhook has arrived.')
      expect(message).toContain('has created no webhook for this client yet')
      expect(message).toMatch(/clock runs and shows \S+; nothing is scheduled/)
    })

    test('tells of deliveries that do not reach this process, and how to name it', async () => {
      const client = await emulator().createClient()
      // Inside a container, 127.0.0.1 has no server.
      const inbox = await openInbox(client, async () => ({
        url: 'http://127.0.0.1:1/',
        close: async () => {},
      }))
      await client.createCheckoutOrder(checkout)
      await client.clock.settle()
      const message = await inVain(inbox.next({}, { timeoutMs: 0 }))
      expect(message).toMatch(
        /CREATED of \S+, pending, attempt 1 to http:\/\/127\.0\.0\.1:1\/: connection: .*ECONNREFUSED/,
      )
      expect(message).toContain("webhookInbox(client, { host: 'host.docker.internal' })")
    })

    test('tells what the inbox answered, where a fault had that count as something else', async () => {
      const { client, inbox } = await open()
      await client.faults.plan({ on: 'delivery', effect: { countAs: 500 } })
      await client.createCheckoutOrder(checkout)
      await client.clock.settle()
      expect(await inVain(inbox.next({ orderStatus: 'FAILED' }, { timeoutMs: 0 }))).toMatch(
        /CREATED of \S+, pending, attempt 1 to \S+: your app answered 200, treated as 500 by a planned fault/,
      )
    })

    test('tells when the client has another webhook URL by now, or its deliveries are held', async () => {
      const { client, inbox } = await open()
      await client.deliveries.hold()
      await client.setWebhookUrl('http://127.0.0.1:9/application')
      await client.createCheckoutOrder(checkout)
      await client.clock.settle()
      const message = await inVain(inbox.next({}, { timeoutMs: 0 }))
      expect(message).toContain('webhook URL is now http://127.0.0.1:9/application, and not this inbox')
      expect(message).toContain('1 held: client.deliveries.release() sends them')
    })

    test('tells of what was due before there was an inbox', async () => {
      const client = await emulator().createClient()
      await client.createCheckoutOrder(checkout)
      await client.clock.settle()
      const inbox = await emulator().webhookInbox(client)
      expect(await inVain(inbox.next({}, { timeoutMs: 0 }))).toContain(
        '1 was skipped, because the client had no webhook URL when it was due: open the inbox first',
      )
    })

    test('tells for which older webhook one waits in strict order', async () => {
      const { client, inbox } = await open()
      await client.changeSettings({ 'webhook.order': 'strict' })
      await client.deliveries.hold({ requestId: 'r1' })
      await client.createCheckoutOrder({ ...checkout, requestId: 'r1' })
      await client.createCheckoutOrder({ ...checkout, requestId: 'r2' })
      await client.clock.settle()
      const [older] = await client.deliveries.list({ requestId: 'r1' })
      expect(await inVain(inbox.next({}, { timeoutMs: 0 }))).toContain(
        `CREATED of r2 waits for the older delivery ${older?.id} (webhook.order: strict).`,
      )
    })

    test('tells when the endpoint has failed too often', async () => {
      const { client, inbox } = await open()
      await client.changeSettings({ 'webhook.disableAfter': 1 })
      await client.faults.plan({ on: 'delivery', effect: { countAs: 500 } })
      await client.createCheckoutOrder(checkout)
      await client.clock.settle()
      expect(await inVain(inbox.next({ orderStatus: 'FAILED' }, { timeoutMs: 0 }))).toContain(
        'The number of failed attempts in a row (1) has paused its deliveries',
      )
    })

    test('tells when the emulator cannot be asked', async () => {
      const { client, inbox } = await open()
      await client.remove()
      expect(await inVain(inbox.next({}, { timeoutMs: 0 }))).toContain(
        'The emulator did not answer the question why: ',
      )
    })
  })

  test('finds that none came besides those that were taken', async () => {
    const { client, inbox } = await openWithOrder()
    const none = inbox.none()
    await expect(none).rejects.toBeInstanceOf(UnexpectedWebhook)
    await expect(none).rejects.toThrow(/^Expected no webhook at all:\n {2}CREATED of /)
    await inbox.none({ orderStatus: 'FAILED' })
    await inbox.next()
    await inbox.none()
    await client.clock.advance('1h')
    await expect(inbox.none({ orderStatus: 'COMPLETED' })).rejects.toThrow('COMPLETED of')
  })

  test('does not take a misspelt member for one that no webhook has as it is asked for', async () => {
    const { inbox } = await openWithOrder()
    await expect(inbox.none({ orderStaus: 'CREATED' })).rejects.toThrow(
      'Webhooks have no field `orderStaus`; did you mean `orderStatus`?',
    )
  })

  test('takes the members of a body of its own, and dotted ones, by their names', async () => {
    const { client, inbox } = await open()
    await client.deliveries.send({ body: { news: { of: 'r1' } } })
    await expect(inbox.none({ 'news.of': 'r1' })).rejects.toBeInstanceOf(UnexpectedWebhook)
    await inbox.none({ 'news.of': 'r2', errorCode: '9004' })
  })
})

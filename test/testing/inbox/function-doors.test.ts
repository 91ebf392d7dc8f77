import { describe, expect, onTestFinished, test } from 'vitest'
import { startEmulator, type TestEmulator } from '../../../src/index.ts'
import { checkout, openInboxAt } from '../support/inbox.ts'

describe('an inbox where a function takes all webhooks', () => {
  const begin = async (took: string[] = []): Promise<TestEmulator> => {
    const emulator = await startEmulator({
      listen: false,
      clock: 'manual',
      webhookFetch: ({ url }) => {
        took.push(url)
        return new Response(null, { status: 204 })
      },
    })
    onTestFinished(() => emulator.close())
    return emulator
  }

  test('gets those of its client, and the function all others', async () => {
    const took: string[] = []
    const emulator = await begin(took)
    const { inbox, client } = await openInboxAt(emulator)
    const other = await emulator.createClient({ webhookUrl: 'http://shop.test/hooks' })
    await client.createCheckoutOrder(checkout)
    await other.createCheckoutOrder(checkout)
    await Promise.all([client.clock.settle(), other.clock.settle()])
    expect(await inbox.next()).toMatchObject({ signature: 'ok', answered: 200 })
    expect(took).toEqual(['http://shop.test/hooks'])
  })

  test('keeps two clients apart', async () => {
    const emulator = await begin()
    const [one, two] = [await openInboxAt(emulator), await openInboxAt(emulator)]
    await one.client.createCheckoutOrder(checkout)
    await one.client.clock.settle()
    expect(one.inbox.webhooks).toHaveLength(1)
    expect(two.inbox.webhooks).toEqual([])
  })

  test('answers badly all the same', async () => {
    const { inbox, client } = await openInboxAt(await begin(), { settings: { 'webhook.timeout': '50ms' } })
    inbox.answerOnce('reset', 'hang', { status: 503, headers: { 'retry-after': '60' }, body: 'busy' }, 204)
    await client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    await client.clock.advance('2m')
    const [delivery] = await client.deliveries.list()
    expect(delivery?.attempts.map(({ outcome, status }) => status ?? outcome)).toEqual([
      'connection',
      'timeout',
      503,
      204,
    ])
    expect(delivery?.attempts[2]).toMatchObject({ responseBody: 'busy' })
  })

  test('cuts what hangs when it closes, and leaves the rest to the function', async () => {
    const took: string[] = []
    const { inbox, client } = await openInboxAt(await begin(took), { webhookUrl: 'http://shop.test/hooks' })
    inbox.answer('hang')
    await client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
    await inbox.next()
    await inbox.close()
    await client.clock.advance('1m')
    const [delivery] = await client.deliveries.list()
    expect(delivery?.attempts).toMatchObject([
      { outcome: 'connection', error: 'cut off by the webhook inbox' },
      { outcome: 'accepted' },
    ])
    expect(took).toEqual(['http://shop.test/hooks'])
  })
})

test('What is sent to a closed inbox does not go to the function that takes all others', async () => {
  const emulator = await startEmulator({
    listen: false,
    clock: 'manual',
    webhookFetch: () => expect.unreachable('a function got what was not addressed to it'),
  })
  onTestFinished(() => emulator.close())
  const { inbox, client } = await openInboxAt(emulator)
  await inbox.close()
  await client.setWebhookUrl(inbox.url)
  await client.createCheckoutOrder(checkout)
  await client.clock.settle()
  const [delivery] = await client.deliveries.list()
  expect(delivery?.attempts).toMatchObject([{ error: 'the webhook inbox is closed' }])
})

describe('an inbox of an emulator without a port', () => {
  const begin = async (): Promise<TestEmulator> => {
    const emulator = await startEmulator({ listen: false, clock: 'manual' })
    onTestFinished(() => emulator.close())
    return emulator
  }
  const servers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length

  test('has none either, whatever it is called elsewhere', async () => {
    const emulator = await begin()
    const before = servers()
    const { inbox, client } = await openInboxAt(
      emulator,
      {},
      { host: 'host.docker.internal', path: 'shop?x=1' },
    )
    expect(inbox.url).toBe('http://inbox-1.internal/shop?x=1')
    await client.createCheckoutOrder(checkout)
    expect(await inbox.next()).toMatchObject({ signature: 'ok', answered: 200 })
    expect(servers()).toBe(before)
  })

  test('takes nothing any more once it is closed, and nothing is sent elsewhere', async () => {
    const { inbox, client } = await openInboxAt(await begin())
    await inbox.close()
    await client.setWebhookUrl(inbox.url)
    await client.createCheckoutOrder(checkout)
    await client.clock.settle()
    const [delivery] = await client.deliveries.list()
    expect(delivery?.attempts).toMatchObject([
      { outcome: 'connection', error: 'the webhook inbox is closed' },
    ])
    expect(inbox.webhooks).toEqual([])
  })
})

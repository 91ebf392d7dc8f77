import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import type { WebhookInbox } from '../../../src/index.ts'
import { freePort } from '../../../tools/free-port.ts'
import { forms } from '../support/forms.ts'
import { checkout, openInboxAt } from '../support/inbox.ts'
import { sharedEmulator } from '../support/shared-emulator.ts'

const post = (url: string, body: string) => request(url, { method: 'POST', body })
/** Without a port the name never existed. */
const nobody = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/

describe.each(forms)('an inbox of an emulator %s', (_, begin) => {
  const emulator = sharedEmulator(begin)
  test('gives the old webhook URL back', async () => {
    const { client, inbox } = await openInboxAt(emulator(), { webhookUrl: 'http://127.0.0.1:9/old' })
    expect((await client.read()).webhookUrl).toBe(inbox.url)
    await inbox.close()
    expect((await client.read()).webhookUrl).toBe('http://127.0.0.1:9/old')
    await expect(post(inbox.url, '{}')).rejects.toThrow(nobody)
  })

  test('leaves another URL that the application has set meanwhile', async () => {
    const { client, inbox } = await openInboxAt(emulator())
    await client.setWebhookUrl('http://127.0.0.1:9/application')
    await inbox.close()
    expect((await client.read()).webhookUrl).toBe('http://127.0.0.1:9/application')
  })

  test.each([
    ['in the order in which they opened', (inboxes: WebhookInbox[]) => inboxes],
    ['the other way round', (inboxes: WebhookInbox[]) => inboxes.toReversed()],
  ])('gives the old webhook URL back with others of its client, closed %s', async (__, ordered) => {
    const client = await emulator().createClient({ webhookUrl: 'http://127.0.0.1:9/old' })
    const inboxes: WebhookInbox[] = []
    for (let n = 1; n <= 3; n++) inboxes.push(await emulator().webhookInbox(client))
    for (const inbox of ordered(inboxes)) await inbox.close()
    expect((await client.read()).webhookUrl).toBe('http://127.0.0.1:9/old')
  })

  test('gives the old webhook URL back although a scenario has added a query to its own', async () => {
    const { client, inbox } = await openInboxAt(emulator(), { webhookUrl: 'http://127.0.0.1:9/old' })
    await client.createCheckoutOrder(checkout, { scenario: 'url-changed-midflow' })
    await client.clock.advance('1h')
    expect((await client.read()).webhookUrl).toBe(`${inbox.url}?moved=1`)
    await inbox.close()
    expect((await client.read()).webhookUrl).toBe('http://127.0.0.1:9/old')
  })

  test('closes although its client is gone', async () => {
    const { client, inbox } = await openInboxAt(emulator())
    await client.remove()
    await inbox.close()
    await expect(post(inbox.url, '{}')).rejects.toThrow(nobody)
  })

  test('closes at once, however long it lets webhooks hang, and tells who waits', async () => {
    const { client, inbox } = await openInboxAt(emulator())
    inbox.answerOnce('hang', { delayMs: 60_000 })
    await client.createCheckoutOrder(checkout)
    await client.createCheckoutOrder(checkout)
    await inbox.waitFor({}, { count: 2 })
    const waiting = inbox.next({ orderStatus: 'FAILED' }).catch(String)
    const begun = performance.now()
    await Promise.all([inbox.close(), inbox.close()])
    expect(performance.now() - begun).toBeLessThan(1_000)
    expect(await waiting).toContain('came before the inbox was closed')
  })

  test('is closed by its emulator', async () => {
    const another = await begin()
    const { inbox } = await openInboxAt(another)
    await another.close()
    await expect(post(inbox.url, '{}')).rejects.toThrow(nobody)
    await inbox.close()
  })

  test('is closed by its emulator, although it was only about to open', async () => {
    const another = await begin()
    const client = await another.createClient()
    const [first, second] = [another.webhookInbox(client), another.webhookInbox(client)]
    await another.close()
    for (const { url } of await Promise.all([first, second]))
      await expect(post(url, '{}')).rejects.toThrow(nobody)
  })

  test('is not opened any more once its emulator closes', async () => {
    const another = await begin()
    const client = await another.createClient()
    const closed = another.close()
    await expect(another.webhookInbox(client)).rejects.toThrow(
      /^webhookInbox was called after emulator\.close\(\)/,
    )
    await closed
  })

  test.each([
    [{ hosst: 'shop' }, 'unknown option `hosst`; did you mean `host`?'],
    [
      { host: 'http://localhost' },
      "host: expected a name or an IP address, like host.docker.internal, not 'http:",
    ],
    [{ host: 'shop:3000' }, "not 'shop:3000'"],
    [{ host: null }, 'not null'],
    [{ port: 70_000 }, 'port: expected 0 to 65535, not 70000'],
    [{ path: 5 }, 'path: expected a string, not 5'],
  ])('is not opened with %j, which it does not understand', async (options, words) => {
    const { client, inbox } = await openInboxAt(emulator())
    const opening: unknown = Reflect.apply(emulator().webhookInbox, emulator(), [client, options])
    await expect(opening).rejects.toThrow(words)
    expect((await client.read()).webhookUrl).toBe(inbox.url)
  })
})

describe.each(forms.slice(0, 1))('the door of an inbox of an emulator %s', (_, begin) => {
  const emulator = sharedEmulator(begin)

  test('bears the name by which the emulator calls it, on all interfaces then', async () => {
    const { inbox } = await openInboxAt(emulator(), {}, { host: 'host.docker.internal', path: 'shop?x=1' })
    const { hostname, port, pathname, search } = new URL(inbox.url)
    expect([hostname, pathname, search]).toEqual(['host.docker.internal', '/shop', '?x=1'])
    // Another address of this machine than the usual one.
    expect((await post(`http://127.0.0.2:${port}/`, '{}')).statusCode).toBe(401)
  })

  test.each([undefined, 'localhost', '[::1]', '::1'])('is open to this machine alone as %s', async (host) => {
    const { inbox } = await openInboxAt(emulator(), {}, { host })
    const { port } = new URL(inbox.url)
    await expect(post(`http://127.0.0.2:${port}/`, '{}')).rejects.toThrow('ECONNREFUSED')
    expect((await post(inbox.url, '{}')).statusCode).toBe(401)
  })

  test('says so when its port is taken, and changes nothing', async () => {
    const { client, inbox } = await openInboxAt(emulator())
    const port = Number(new URL(inbox.url).port)
    await expect(emulator().webhookInbox(client, { port })).rejects.toThrow(
      /^The webhook inbox cannot listen: .*EADDRINUSE.* Leave out `port`/,
    )
    expect((await client.read()).webhookUrl).toBe(inbox.url)
  })

  test('leaves nothing open where the client cannot be changed', async () => {
    const port = await freePort()
    const { client } = await openInboxAt(emulator())
    await client.remove()
    await expect(emulator().webhookInbox(client, { port })).rejects.toThrow('404')
    await expect(post(`http://127.0.0.1:${port}/`, '{}')).rejects.toThrow('ECONNREFUSED')
  })

  test('lets nothing in that is no webhook', async () => {
    const { inbox } = await openInboxAt(emulator())
    expect((await request(inbox.url)).statusCode).toBe(405)
    expect((await post(inbox.url, 'x'.repeat(1_100_000))).statusCode).toBe(413)
    expect(inbox.webhooks).toEqual([])
  })

  test('remembers a body that is no JSON, as it is', async () => {
    const { inbox } = await openInboxAt(emulator())
    await post(inbox.url, '{"requestId":"r1","orderS')
    expect(inbox.webhooks).toMatchObject([
      {
        body: '{"requestId":"r1","orderS',
        event: { requestId: '' },
        signature: expect.stringMatching(/^missing/),
      },
    ])
  })
})

import { describe, expect, test } from 'vitest'
import type { ReceivedWebhook, TestClient } from '../../../src/index.ts'
import type { Receive } from '../../../src/testing/inbox/endpoint.ts'
import { Arrivals } from '../../../src/testing/inbox/reception.ts'
import { openInbox } from '../../../src/testing/inbox/webhook-inbox.ts'
import { forms } from '../support/forms.ts'
import { sharedEmulator } from '../support/shared-emulator.ts'

/** An inbox whose webhooks the test hands in itself. */
async function openByHand(client: TestClient) {
  const receives: Receive[] = []
  const inbox = await openInbox(client, async (receive) => {
    receives.push(receive)
    return { url: 'http://127.0.0.1:1/', close: async () => {} }
  })
  const handIn = async (text: string, headers: Record<string, string> = {}) => {
    const [receive] = receives
    return receive?.({ headers, bytes: Buffer.from(text) })
  }
  return { inbox, handIn }
}

describe.each(forms)('what an inbox receives from an emulator %s', (_, begin) => {
  const emulator = sharedEmulator(begin)
  const bodySigned = { settings: { 'webhook.auth': 'hmac-body' } }
  const signedBy = (client: TestClient, text: string) => ({ signature: client.sign(text) })

  test('is remembered as it came, although verifying one may take longer', async () => {
    const client = await emulator().createClient(bodySigned)
    const { inbox, handIn } = await openByHand(client)
    // The settings have to be asked for about the first alone.
    await Promise.all([handIn('"first"'), handIn('"second"', signedBy(client, '"second"'))])
    expect(inbox.webhooks.map(({ body, signature }) => [body, signature])).toEqual([
      ['first', expect.stringMatching(/^missing/)],
      ['second', 'ok'],
    ])
  })

  test('has its late answer at once when the inbox closes', async () => {
    const client = await emulator().createClient(bodySigned)
    const { inbox, handIn } = await openByHand(client)
    inbox.answer({ delayMs: 600_000 })
    const answer = handIn('{}', signedBy(client, '{}'))
    await inbox.next()
    await inbox.close()
    expect(await answer).toMatchObject({ status: 200 })
  })

  test('shows that the emulator reaches it, whatever else fails', async () => {
    const client = await emulator().createClient()
    const { inbox, handIn } = await openByHand(client)
    await handIn('{}', signedBy(client, '{}'))
    await client.createCheckoutOrder()
    await client.clock.settle()
    const message = await inbox.next({ requestId: 'r1' }, { timeoutMs: 0 }).then(String, String)
    expect(message).toContain('ECONNREFUSED')
    expect(message).not.toContain('host.docker.internal')
  })
})

test('who has found what he waited for takes nothing more', async () => {
  const arrivals = new Arrivals()
  const seen: unknown[] = []
  const webhook = (text: string): ReceivedWebhook => ({
    ...{ text, body: text, headers: {}, signature: 'ok', webhookId: null, attempt: 1 },
    ...{ receivedAt: 0, answered: 200 },
    event: { requestId: '', clientId: '', orderId: '', orderStatus: '', orderType: '', eventType: '' },
  })
  const waiting = arrivals.until(() => {
    const latest = arrivals.all.at(-1)
    if (latest !== undefined) seen.push(latest.text)
    return latest
  }, 1_000)
  arrivals.add(webhook('first'))
  arrivals.add(webhook('second'))
  await waiting
  expect(seen).toEqual(['first'])
})

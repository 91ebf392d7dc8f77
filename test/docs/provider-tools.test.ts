import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startListening } from '../../src/cli/listen/listen.ts'
import { readListenOptions } from '../../src/cli/listen/receiver.ts'
import { run } from '../../src/cli/program.ts'
import { behaviours } from '../../src/domain/sweep/behaviours.ts'
import { startEmulator } from '../../src/index.ts'
import { FakeTerminal } from '../cli/fake-terminal.ts'
import { create, startForTest } from '../cli/running.ts'
import type { JsonObject } from '../support/answer.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { startReceiver } from '../support/receiver.ts'
import { checkout } from '../testing/support/inbox.ts'

// The library, `listen`, `sign` and `sweep` under the settings file of a provider.
const providers = [
  {
    name: 'norvelle-pay',
    signature: 'norvelle-signature',
    /** When a webhook was signed, for `sign`. */
    signedAt: (header: string) => new Date(Number(/t=(\d+)/.exec(header)?.[1]) * 1_000).toISOString(),
    event: (json: JsonObject) => Object(json.data).order,
    fields: { requestId: 'requestId', status: 'status' },
    paid: 'paid',
  },
  {
    name: 'tillbrook',
    signature: 'x-tillbrook-signature',
    signedAt: () => new Date(0).toISOString(),
    event: (json: JsonObject) => Object(json.order),
    fields: { requestId: 'reference', status: 'state' },
    paid: 'SETTLED',
  },
] as const

describe.each(providers)(
  'under the settings of $name',
  ({ name, signature, signedAt, event, fields, paid }) => {
    const file = `docs/settings/${name}.yaml`
    const settings = parse(readFileSync(file, 'utf8'))

    async function open() {
      const emulator = await startEmulator({ settings, listen: false, clock: 'manual' })
      onTestFinished(() => emulator.close())
      const client = await emulator.createClient()
      const inbox = await emulator.webhookInbox(client)
      onTestFinished(() => inbox.close())
      return { client, inbox }
    }

    test('the inbox finds webhooks by the names of the library, waits for them and says what is missing', async () => {
      const { client, inbox } = await open()
      const [one, other] = [
        await client.createCheckoutOrder(checkout),
        await client.createCheckoutOrder(checkout),
      ]
      await client.clock.advance('10s')
      const { requestId } = other
      const both = await inbox.waitFor({ requestId }, { count: 2 })
      expect(both.map(({ event: { orderStatus } }) => orderStatus)).toEqual(['CREATED', 'COMPLETED'])
      expect(both.map((webhook) => event(Object(webhook.body))[fields.status])).toContain(paid)
      expect(await inbox.next({ requestId: one.requestId, orderStatus: 'COMPLETED' })).toMatchObject({
        signature: 'ok',
        event: { requestId: one.requestId },
      })
      await expect(inbox.next({ orderStatus: 'FAILED' }, { timeoutMs: 0 })).rejects.toThrow(
        `COMPLETED of ${one.requestId}`,
      )
      await inbox.none({ orderStatus: 'FAILED' })
      expect(await client.requests.verify({ operation: 'create-checkout-order' }, { count: 2 })).toBe(2)
    })

    test('the inbox refuses a forged webhook, by the recipe', async () => {
      const { client, inbox } = await open()
      const { requestId } = await client.createCheckoutOrder(checkout, { scenario: 'never-pays' })
      await inbox.next({ requestId })
      const sent = await client.deliveries.send({
        event: { requestId, orderStatus: 'COMPLETED' },
        sign: 'wrong',
      })
      expect(sent.attempts).toMatchObject([{ status: 401 }])
      expect((await inbox.next({ requestId }, { signature: 'wrong' })).signature).toContain(
        `wrong: ${signature} does not have the HMAC-SHA256`,
      )
    })

    test('`sign --webhook` computes the signature that was sent', async () => {
      const { client, inbox } = await open()
      await client.createCheckoutOrder(checkout)
      const { text, headers } = await inbox.next()
      const sent = headers[signature] ?? ''
      const terminal = new FakeTerminal({ PAYMENT_ORDER_WEBHOOK_SECRET: client.webhookSecret })
      await run(
        ['sign', text, '--webhook', '--settings', file, '--timestamp', signedAt(sent), '--json'],
        terminal,
      )
      expect(JSON.parse(terminal.output.join('\n')).headers[signature]).toBe(sent)
    })

    test('`listen` names the order and its status, and tells a forged webhook', async () => {
      const { url } = await startForTest({ clock: 'manual', settings })
      const terminal = new FakeTerminal()
      const receiver = await startListening(readListenOptions({ port: '0', url }, {}), terminal, 0)
      onTestFinished(() => receiver.close())
      await create(url, 'r1')
      expect(await terminal.written(/CREATED/)).toMatch(/CREATED r1 signature ok/)
      await fetch(receiver.url, { method: 'POST', body: '{}' })
      expect(await terminal.written(/missing/)).toContain(
        `signature missing: expected in the header ${signature}`,
      )
    })

    test.each([
      ['webhook-twice', ['r1', 'r1', 'r1', 'r1']],
      [
        'webhook-unknown-order',
        ['r1', 'r1', expect.not.stringMatching(/^r1$/), expect.not.stringMatching(/^r1$/)],
      ],
    ])('%s of a sweep shows in its webhooks, and is on record', async (behaviour, requestIds) => {
      const played = behaviours.filter((each) => each.name === behaviour)
      const record = join(aFolder(), 'record.jsonl')
      const sweep = { behaviours: played, record, seed: 'a' }
      const emulator = await startTestEmulator({ settings }, onTestFinished, { sweep })
      const receiver = await startReceiver()
      const client = await emulator.addClient({ webhookUrl: receiver.url })
      await client.createCheckout('r1')
      await client.advance('10s')
      await client.advance('2h')
      const events = receiver.requests.map(({ json }) => event(json))
      expect(events.map((each) => each[fields.requestId]).toSorted(byOther)).toEqual(requestIds)
      expect(events.map((each) => each[fields.status])).toContain(paid)
      expect(readFileSync(record, 'utf8')).toContain(behaviour)
    })
  },
)

/** r1 first. */
const byOther = (left: unknown, right: unknown) => Number(left !== 'r1') - Number(right !== 'r1')

import { expect, test } from 'vitest'
import { forms } from '../support/forms.ts'
import { checkout, openInboxAt } from '../support/inbox.ts'
import { sharedEmulator } from '../support/shared-emulator.ts'

const batched = {
  'webhook.on': ['CREATED'],
  'webhook.batch': { max: 2, within: '5s', template: { sent: '${sentTime}', news: '${events}' } },
  'webhook.format': 'template',
  'webhook.template': { about: { order: '${requestId}', is: '${orderStatus}' } },
  'words.webhook': { CREATED: 'new' },
}

for (const [name, begin] of forms) {
  const emulator = sharedEmulator(begin)
  const open = () => openInboxAt(emulator(), { settings: batched })

  test(`a webhook of several events is there once for each of them, and answered once (${name})`, async () => {
    const { client, inbox } = await open()
    inbox.answerOnce(500)
    const [one, other] = [
      await client.createCheckoutOrder(checkout),
      await client.createCheckoutOrder(checkout),
    ]
    const first = await inbox.next({ requestId: other.requestId })
    expect(first).toMatchObject({
      attempt: 1,
      answered: 500,
      signature: 'ok',
      event: { orderStatus: 'CREATED' },
    })
    expect(await inbox.next({ requestId: one.requestId })).toMatchObject({
      webhookId: first.webhookId,
      text: first.text,
      body: { about: { order: one.requestId, is: 'new' } },
    })
    await client.clock.advance('1s')
    const again = await inbox.waitFor({ requestId: one.requestId }, { count: 2 })
    expect(again.map(({ attempt, answered }) => [attempt, answered])).toEqual([
      [1, 500],
      [2, 200],
    ])
    expect(inbox.webhooks).toHaveLength(4)
  })

  test(`a webhook of one event that waited is there (${name})`, async () => {
    const { client, inbox } = await open()
    const { requestId } = await client.createCheckoutOrder(checkout)
    await inbox.none()
    await client.clock.advance('5s')
    expect((await inbox.next()).event).toMatchObject({ requestId, orderStatus: 'CREATED' })
  })
}

import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import { same } from '../difference.ts'
import type { Door } from '../endpoints.ts'
import type { ClientId } from '../world.ts'

/** The application registers its URL, to the service itself. */
export const setUrl: Kind<{ client: ClientId; door: Door }> = {
  name: 'set the URL of',
  weight: 5,
  parameters: fc.record({ client: anyClient, door: fc.constantFrom('a', 'b') }),
  words: ({ client, door }) => `${client} to ${door}`,
  act: async ({ sides, bench }, { client, door }) => {
    const { real, model } = sides[client]
    const url = bench.endpoints.urlOf(client, door)
    const { status } = await real.setWebhookUrl(url)
    same([`${status}`], ['200'])
    model.outbox.url = url
    model.outbox.paused = false
    // If a backlog meets both a hold and a 410, the number of held webhooks is unspecified.
    if (model.outbox.holds.length > 0 && model.outbox.answering === 'with 410') {
      model.outbox.answering = 'with 200'
      bench.endpoints.answerFromNowOn(client, 'with 200')
    }
  },
}

/** Only the control API can take a URL away. */
export const removeUrl: Kind<{ client: ClientId }> = {
  name: 'remove the URL of',
  weight: 2,
  parameters: fc.record({ client: anyClient }),
  words: ({ client }) => client,
  act: async ({ sides }, { client }) => {
    const { real, model } = sides[client]
    await real.change({ webhookUrl: null })
    model.outbox.url = null
    model.outbox.paused = false
  },
}

import { onTestFinished } from 'vitest'
import type { InboxOptions, NewClient, TestClient, TestEmulator, WebhookInbox } from '../../../src/index.ts'

/** The least of an order. */
export const checkout = { fiatAmount: '10.00', email: 'a@example.com' }

/** A client and its inbox, which closes when the test ends. */
export interface ClientWithInbox {
  readonly client: TestClient
  readonly inbox: WebhookInbox
}

export async function openInboxAt(
  emulator: TestEmulator,
  fields: NewClient = {},
  options: InboxOptions = {},
): Promise<ClientWithInbox> {
  const client = await emulator.createClient(fields)
  const inbox = await emulator.webhookInbox(client, options)
  onTestFinished(() => inbox.close())
  return { client, inbox }
}

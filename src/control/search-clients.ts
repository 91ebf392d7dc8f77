import type { Client } from '../domain/client.ts'

/** Whether a client has a text in its name or its webhook URL, in either case. */
export function fits({ clientId, webhookUrl }: Client, search: string | undefined): boolean {
  if (search === undefined) return true
  const wanted = search.toLowerCase()
  return [clientId, webhookUrl ?? ''].some((text) => text.toLowerCase().includes(wanted))
}

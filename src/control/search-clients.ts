import { z } from 'zod'
import type { Client } from '../domain/client.ts'

/** A part of a client's name or webhook URL to look for. */
export const searchQuery = {
  search: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Only clients with this in their clientId or webhook URL, whatever its case.' }),
}

/** Whether a client is one of those that are searched. */
export function fits({ clientId, webhookUrl }: Client, search: string | undefined): boolean {
  if (search === undefined) return true
  const wanted = search.toLowerCase()
  return [clientId, webhookUrl ?? ''].some((text) => text.toLowerCase().includes(wanted))
}

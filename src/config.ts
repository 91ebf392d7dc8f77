import type { z } from 'zod'
import type { configSchema } from './config/schema.ts'

/** A configuration with every default filled in. */
export type Config = z.output<typeof configSchema>
/** A configuration as it may be given. */
export type ConfigInput = z.input<typeof configSchema>

/** The demo client's credentials unless flags say otherwise. */
export const demo = {
  apiSecret: 'demo-secret',
  accessToken: 'demo-token',
  webhookSecret: 'whsec_ZGVtby13ZWJob29rLXNlY3JldA==',
} as const

/** Whether an address to listen on reaches no further than this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}

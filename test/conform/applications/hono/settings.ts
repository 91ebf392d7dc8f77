import { z } from 'zod'

const environment = z.object({
  PORT: z.coerce.number().int().default(3000),
  PAYMENT_ORDER_BASE_URL: z.url(),
  PAYMENT_ORDER_CLIENT_ID: z.string(),
  PAYMENT_ORDER_API_SECRET: z.string(),
  PAYMENT_ORDER_ACCESS_TOKEN: z.string().optional(),
  PAYMENT_ORDER_WEBHOOK_SECRET: z.string(),
  DATABASE: z.string().default(':memory:'),
  POLL_MS: z.coerce.number().int().positive().default(1000),
  CALL_TIMEOUT_MS: z.coerce.number().int().positive().default(2000),
})

/** What the shop has to know; times in milliseconds. */
export type Settings = ReturnType<typeof readSettings>

/** Reads the environment. @throws z.ZodError naming what is missing or wrong */
export function readSettings(env: NodeJS.ProcessEnv) {
  const read = environment.parse(env)
  return {
    port: read.PORT,
    baseUrl: read.PAYMENT_ORDER_BASE_URL.replace(/\/$/, ''),
    clientId: read.PAYMENT_ORDER_CLIENT_ID,
    apiSecret: read.PAYMENT_ORDER_API_SECRET,
    accessToken: read.PAYMENT_ORDER_ACCESS_TOKEN ?? null,
    webhookSecret: read.PAYMENT_ORDER_WEBHOOK_SECRET,
    database: read.DATABASE,
    pollMs: read.POLL_MS,
    callTimeoutMs: read.CALL_TIMEOUT_MS,
  }
}

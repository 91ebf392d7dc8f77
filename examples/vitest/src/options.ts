import type { ShopOptions } from './shop.ts'

/** Reads what a shop has to know from environment variables.
 *  @throws Error naming the one that is missing */
export function shopOptions(env: Readonly<Record<string, string | undefined>>): ShopOptions {
  const needed = (name: string): string => {
    const value = env[name]
    if (value === undefined) throw new Error(`The environment variable ${name} is not set`)
    return value
  }
  const baseUrl = needed('PAYMENT_ORDER_BASE_URL')
  return {
    account: {
      baseUrl,
      // Where the service gives out access tokens is agreed with its operator; this is the emulator's place.
      tokenUrl: env.PAYMENT_ORDER_TOKEN_URL ?? `${baseUrl}/_emulator/access-token`,
      clientId: needed('PAYMENT_ORDER_CLIENT_ID'),
      apiSecret: needed('PAYMENT_ORDER_API_SECRET'),
      accessToken: needed('PAYMENT_ORDER_ACCESS_TOKEN'),
    },
    webhookSecret: needed('PAYMENT_ORDER_WEBHOOK_SECRET'),
    database: env.DATABASE ?? ':memory:',
    timeLimitMs: Number(env.PAYMENT_ORDER_TIME_LIMIT_MS ?? 10_000),
  }
}

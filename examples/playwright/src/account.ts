import type { Account } from './payments.ts'

/** Reads who we are at the payment service from environment variables.
 *  @throws Error naming the one that is missing */
export function accountFrom(env: Readonly<Record<string, string | undefined>>): Account {
  const needed = (name: string): string => {
    const value = env[name]
    if (value === undefined) throw new Error(`The environment variable ${name} is not set`)
    return value
  }
  return {
    baseUrl: needed('PAYMENT_ORDER_BASE_URL'),
    clientId: needed('PAYMENT_ORDER_CLIENT_ID'),
    apiSecret: needed('PAYMENT_ORDER_API_SECRET'),
    accessToken: needed('PAYMENT_ORDER_ACCESS_TOKEN'),
  }
}

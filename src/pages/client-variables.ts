/** What an application has to know of its client to use it. */
export interface ClientCredentials {
  readonly clientId: string
  readonly apiSecret: string
  readonly accessToken: string
  readonly webhookSecret: string
}

/** The environment variables that tell an application where the emulator is and who it is there.
 *  @param url the emulator's base URL */
export function clientVariables(
  url: string,
  { clientId, apiSecret, accessToken, webhookSecret }: ClientCredentials,
) {
  return {
    PAYMENT_ORDER_BASE_URL: url,
    PAYMENT_ORDER_CLIENT_ID: clientId,
    PAYMENT_ORDER_API_SECRET: apiSecret,
    PAYMENT_ORDER_ACCESS_TOKEN: accessToken,
    PAYMENT_ORDER_WEBHOOK_SECRET: webhookSecret,
  }
}

/** What the shop has to know, from the environment; times in milliseconds.
 *  @throws Error naming what is missing */
export function readSettings(env) {
  const needed = (name) => {
    if (!env[name]) throw new Error(`The environment variable ${name} is not set`)
    return env[name]
  }
  return {
    port: Number(env.PORT ?? 3000),
    baseUrl: needed('PAYMENT_ORDER_BASE_URL').replace(/\/$/, ''),
    clientId: needed('PAYMENT_ORDER_CLIENT_ID'),
    apiSecret: needed('PAYMENT_ORDER_API_SECRET'),
    accessToken: env.PAYMENT_ORDER_ACCESS_TOKEN ?? null,
    database: env.DATABASE ?? null,
    pollMs: Number(env.POLL_MS ?? 1000),
    callTimeoutMs: Number(env.CALL_TIMEOUT_MS ?? 2000),
  }
}

/** Reads who we are at the payment service from environment variables.
 *  @param {Record<string, string | undefined>} env */
function accountFrom(env) {
  const needed = (name) => {
    if (env[name] === undefined) throw new Error(`The environment variable ${name} is not set`)
    return env[name]
  }
  return {
    baseUrl: needed('PAYMENT_ORDER_BASE_URL'),
    clientId: needed('PAYMENT_ORDER_CLIENT_ID'),
    apiSecret: needed('PAYMENT_ORDER_API_SECRET'),
    accessToken: needed('PAYMENT_ORDER_ACCESS_TOKEN'),
    webhookSecret: needed('PAYMENT_ORDER_WEBHOOK_SECRET'),
  }
}

module.exports = { accountFrom }

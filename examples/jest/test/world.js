const { once } = require('node:events')
const { startEmulator } = require('payment-order-emulator')
const { accountFrom } = require('../src/account.js')
const { createMagazine } = require('../src/magazine.js')

/** Gives each test of a file a client of its own and a magazine of its own, whose clocks go together: they stand until
 *  the test moves them.
 *  @param {string} startTime ISO 8601
 *  @returns an object whose members are those of the test that runs */
function useWorld(startTime) {
  const world = {}
  let emulator
  let server
  let now

  beforeAll(async () => {
    emulator = await startEmulator({ clock: 'manual', startTime })
  })
  afterAll(() => emulator.close())

  beforeEach(async () => {
    const client = await emulator.createClient()
    now = await client.clock.now()
    server = createMagazine(accountFrom(client.env), () => now).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${server.address().port}`
    await client.setWebhookUrl(`${url}/webhooks`)
    Object.assign(world, { client, ...reader(url), travel })

    async function travel(by) {
      now = (await client.clock.advance(by)).now
    }
  })
  afterEach(() => {
    server.close()
    server.closeAllConnections()
  })
  return world
}

/** Somebody who reads the magazine. */
function reader(url) {
  return {
    async subscribe({ trialDays = 0 } = {}) {
      const body = JSON.stringify({ id: 'reader-1', email: 'reader@example.com', trialDays })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${url}/subscriptions`, { method: 'POST', headers, body })
      if (!response.ok) throw new Error(`The magazine answered ${response.status} ${await response.text()}`)
    },
    /** Whether the reader may read now. */
    async hasAccess() {
      return (await (await fetch(`${url}/subscriptions/reader-1`)).json()).access
    },
  }
}

module.exports = { useWorld }

const { once } = require('node:events')
const { startEmulator } = require('payment-order-emulator')
const { ConformTests } = require('payment-order-emulator/conform')
const { accountFrom } = require('../src/account.js')
const { createMagazine } = require('../src/magazine.js')

let emulator
let client
let server

beforeAll(async () => {
  emulator = await startEmulator()
  client = await emulator.createClient()
  server = createMagazine(accountFrom(client.env), Date.now).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

const conformance = new ConformTests(
  () => ({
    emulator,
    config: {
      client: client.clientId,
      webhookUrl: `http://127.0.0.1:${server.address().port}/webhooks`,
      webhookSignature: 'standard',
    },
  }),
  // What the answers to webhooks show: the magazine sells no single orders.
  { only: ['K03', 'K04', 'K05', 'K06', 'K07', 'K26'] },
)

test.each(conformance.cases)(
  '$id $title',
  async ({ id }) => {
    const { verdict, note } = await conformance.check(id)
    if (verdict === 'NOT-SEEN') throw new Error(`${id} was not observable: ${note}`)
  },
  60_000,
)

afterAll(async () => {
  await conformance.close()
  server.close()
  server.closeAllConnections()
  await emulator.close()
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { GenericContainer, type StartedTestContainer, TestContainers, Wait } from 'testcontainers'

// Stands for your application, which receives webhooks on a port of this machine.
const application = createServer(async (request, response) => {
  received.push(JSON.parse(await text(request)))
  response.end()
})
const received: { orderStatus: string }[] = []

let container: StartedTestContainer
let emulator: string
let client: { clientId: string; apiSecret: string; accessToken: string; webhookSecret: string }

before(async () => {
  await once(application.listen(0), 'listening')
  // Before the container starts: from inside it, this machine is host.testcontainers.internal.
  await TestContainers.exposeHostPorts(portOf(application.address()))
  container = await new GenericContainer('registry.example.com/payment-order-emulator:0.1.0')
    .withExposedPorts(4600)
    .withWaitStrategy(Wait.forHttp('/_emulator/health', 4600))
    .start()
  emulator = `http://${container.getHost()}:${container.getMappedPort(4600)}`
})

after(async () => {
  await container?.stop()
  application.close()
})

// An isolated client for each test. Your application gets its credentials, and `emulator` as the base URL.
beforeEach(async () => {
  received.length = 0
  const webhookUrl = `http://host.testcontainers.internal:${portOf(application.address())}/webhooks`
  client = await control('/clients', { webhookUrl, clock: { mode: 'manual' } })
})

test('an order that fails is told by its webhooks', async () => {
  await control('/orders', { clientId: client.clientId, fiatAmount: '10.00', scenario: 'fail-9004' })
  await control(`/clock/advance?clientId=${client.clientId}`, { by: '1m' })
  assert.deepEqual(
    received.map(({ orderStatus }) => orderStatus),
    ['CREATED', 'FAILED'],
  )
})

async function control(path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${emulator}/_emulator${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  assert.ok(answer.ok, `${path} answered ${answer.status} ${await answer.clone().text()}`)
  return answer.json()
}

function portOf(address: ReturnType<typeof application.address>): number {
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

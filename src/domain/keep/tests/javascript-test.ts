import { isCreatedByCall, ownPlace, type TestFacts } from './test-facts.ts'

/** A test for Vitest or Jest, with an emulator of its own in the test process. */
export function javascriptTest(kind: 'vitest' | 'jest', facts: TestFacts): string {
  const { id, orderId, start, advance, webhooks } = facts
  const list = webhooks.map(
    ({ after, orderStatus }) => `  { after: ${after}, orderStatus: ${quoted(orderStatus)} },\n`,
  )
  const clock = start === null ? '' : `, startTime: ${quoted(start)}`
  return `// Plays ${id}.yaml, the scenario of the order ${orderId}, and checks that the same webhooks are sent.
${kind === 'vitest' ? vitestHead(id) : jestHead(id)}
const scenarioId = ${quoted(id)}
const requestId = 'kept-order'

// Every POST of a webhook, with the seconds since the order's creation.
const recorded = [
${list.join('')}]

test('an order of the scenario ${id} sends the same webhooks', async () => {
  const emulator = await startEmulator({ clock: 'manual'${clock} })
  try {
    const client = await emulator.createClient()
    // Takes the webhooks. For your application: \`await client.change({ webhookUrl })\`, and give it \`client.env\`.
    await emulator.webhookInbox(client)
    await emulator.scenarios.put(scenarioId, scenario)

    await createOrder(client)
    await client.clock.advance(${quoted(advance)})

    const sent = await sentWebhooks(client)
    expect(sent.map(({ orderStatus }) => orderStatus)).toEqual(recorded.map(({ orderStatus }) => orderStatus))
    recorded.forEach(({ after }, index) => {
      expect(Math.abs(Number(sent[index]?.after) - after)).toBeLessThanOrEqual(1)
    })

${ownPlace.map((line) => `    // ${line}`).join('\n')}
  } finally {
    await emulator.close()
  }
})

${isCreatedByCall(facts) ? creating(kind, facts) : making(kind, facts)}
async function sentWebhooks(client${kind === 'vitest' ? ': TestClient' : ''}) {
  const { createdAt } = await client.orders.get(requestId)
  const deliveries = await client.deliveries.list({ requestId })
  const sent = deliveries.flatMap(({ orderStatus, attempts }) =>
    attempts.map(({ at }) => ({ after: (at - createdAt) / 1000, orderStatus })),
  )
  return sent.sort((a, b) => a.after - b.after)
}
`
}

const vitestHead = (id: string): string => `import { readFileSync } from ${nodeModule('fs')}
import { startEmulator, type TestClient } from 'payment-order-emulator'
import { expect, test } from 'vitest'

const scenario = readFileSync(new URL('./${id}.yaml', import.meta.url), 'utf8')`

const jestHead = (id: string): string => `const { readFileSync } = require(${nodeModule('fs')})
const { join } = require(${nodeModule('path')})
const { startEmulator } = require('payment-order-emulator')

const scenario = readFileSync(join(__dirname, '${id}.yaml'), 'utf8')`

const nodeModule = (name: string): string => quoted(`node:${name}`)

function creating(kind: string, { kind: order, fields }: TestFacts): string {
  const call = order === 'subscription' ? 'createSubscriptionOrder' : 'createCheckoutOrder'
  return `// Creates the order as an application does: again if a call failed and no order exists. A held answer comes
// only when the clock moves, so the function waits no longer than 200 ms for the answer once the order exists.
async function createOrder(client${kind === 'vitest' ? ': TestClient' : ''}) {
  await client.scenarios.next(scenarioId, { requestId })
  for (let tries = 1; tries <= 3; tries++) {
    const order = { requestId, ${members(fields)} }
    const answered = client.${call}(order).catch(() => null)
    const exists = client.waitFor('order', { requestId })
    const held = exists.then(() => client.waitFor('order', { requestId, orderStatus: 'NONE' }, { timeoutMs: 200 }))
    await Promise.race([answered, held.catch(() => null)])
    if ((await client.orders.list({ requestId })).length > 0) return
  }
  throw new Error('no create call made an order')
}
`
}

const making = (kind: string, { kind: order, fields }: TestFacts): string =>
  `async function createOrder(client${kind === 'vitest' ? ': TestClient' : ''}) {
  const order = { requestId, kind: ${quoted(order)}, scenario: scenarioId, ${members(fields)} }
  await client.orders.make(order)
}
`

const members = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${quoted(value)}`)
    .join(', ')

/** A text as JavaScript writes it. */
const quoted = (text: string): string =>
  /^[\w .:@/+-]*$/.test(text)
    ? `'${text}'`
    : JSON.stringify(text).replaceAll(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`)

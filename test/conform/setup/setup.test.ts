import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type ConformConfig, type ConformReport, conform } from '../../../src/conform/index.ts'
import { connectEmulator, startEmulator, type TestEmulator } from '../../../src/index.ts'
import { startForTest } from '../../cli/running.ts'
import { type Instead, type WebShop, webShop } from '../support/web-shop.ts'

let emulator: TestEmulator
beforeAll(async () => {
  emulator = await startEmulator({ listen: false })
})
afterAll(() => emulator.close())

async function opened(instead?: Instead): Promise<WebShop> {
  const shop = await webShop(emulator, instead)
  onTestFinished(() => shop.close())
  return shop
}

/** The problems that the setup check finds, as `member: message`. No case may have run. */
async function problemsOf(config: ConformConfig): Promise<string[]> {
  const report = await conform(emulator, config, { only: ['K01'] })
  expect(report).toMatchObject({ ok: false, cases: [] })
  return told(report)
}

const told = ({ problems }: ConformReport) => problems.map(({ member, message }) => `${member}: ${message}`)

const nowhere = 'http://127.0.0.1:9'

test('a right configuration has no problems, and the case is run', async () => {
  const { config } = await opened()
  expect(await conform(emulator, config, { only: ['K01'] })).toMatchObject({
    problems: [],
    cases: [{ id: 'K01', verdict: 'PASS' }],
  })
})

test('a client that there is not is told, with the one that was meant', async () => {
  const { config } = await opened()
  expect(await problemsOf({ ...config, client: 'demo-clent' })).toEqual([
    expect.stringMatching(/^client: .* has no client "demo-clent"; did you mean `demo-client`\?$/),
  ])
})

test('an application is asked by its own names, where they are told', async () => {
  const { config, url } = await opened()
  const byName = {
    ...config,
    start: { ...config.start, id: '/order/id' },
    probe: { ...config.probe, url: `${url}/orders/{id}` },
  }
  expect(await conform(emulator, byName, { only: ['K01'] })).toMatchObject({ cases: [{ verdict: 'PASS' }] })
  expect(await problemsOf({ ...byName, start: { ...config.start, id: '/order/no' } })).toEqual([
    expect.stringMatching(
      /^start\.id: POST .*; there is no text or number at this pointer\. The answer has \/order\/id/,
    ),
  ])
})

test('an application that does not run is told for each address at once', async () => {
  const { config } = await opened()
  const problems = await problemsOf({
    ...config,
    webhookUrl: `${nowhere}/webhooks`,
    start: { ...config.start, url: `${nowhere}/orders` },
    probe: {
      ...config.probe,
      url: `${nowhere}/orders/{requestId}`,
      status: '/a',
      statuses: { COMPLETED: 'a' },
    },
    reconcile: { url: `${nowhere}/cron` },
  })
  expect(problems).toEqual([
    expect.stringMatching(/^start\.url: POST http:\/\/127\.0\.0\.1:9\/orders with .* was not answered: /),
    expect.stringMatching(/^webhookUrl: nothing answers at /),
    expect.stringMatching(/^probe\.url: GET .* was not answered: /),
    expect.stringMatching(/^reconcile: POST .* was not answered: /),
  ])
})

test('a webhook URL that is not the application’s is told', async () => {
  const { config, url } = await opened()
  expect(await problemsOf({ ...config, webhookUrl: `${url}/hooks` })).toEqual([
    expect.stringMatching(/^webhookUrl: every webhook to .*\/hooks was answered 404: no such order/),
  ])
})

test('neither configuration nor client has a webhook URL', async () => {
  const { config } = await opened()
  expect(await problemsOf({ ...config, webhookUrl: undefined })).toEqual([
    expect.stringMatching(
      /^webhookUrl: the configuration has no `webhookUrl`, and the client has no registered URL/,
    ),
  ])
})

test('a start call that is refused is told with what was sent and what came back', async () => {
  const { config } = await opened((path) =>
    path === '/orders' ? Response.json({ error: 'which mug?' }, { status: 422 }) : null,
  )
  expect(await problemsOf(config)).toEqual([
    expect.stringMatching(
      /^start: POST .* with \{"mug":"\w+"\} was answered 422: \{"error":"which mug\?"\}; /,
    ),
  ])
})

test('an application that calls another service makes no create call here', async () => {
  const { config } = await opened((path) =>
    path === '/orders' ? Response.json({ order: { id: 'x' } }) : null,
  )
  expect(await problemsOf(config)).toEqual([
    expect.stringMatching(/^start: .* no create call came to the emulator .*PAYMENT_ORDER_BASE_URL/),
  ])
})

test('an application that has the credentials of another client is told which', async () => {
  const { config } = await opened()
  const other = await emulator.createClient()
  const problems = await problemsOf({ ...config, client: other.clientId })
  expect(problems).toEqual([
    `client: your application created its order as the client ${config.client}, not as ${other.clientId}; set \`client: ${config.client}\`, or give your application the credentials of ${other.clientId}`,
  ])
})

test('credentials that are wrong are told as the journal knows them', async () => {
  const { config } = await opened(async (path, { client }) => {
    if (path !== '/orders') return null
    const headers = { 'access-token': 'wrong', 'content-type': 'application/json' }
    const url = `${client.url}/v1/client/checkout/create-order`
    await emulator.fetch(url, { method: 'POST', headers, body: '{}' })
    return Response.json({}, { status: 500 })
  })
  expect(await problemsOf(config)).toEqual([
    expect.stringMatching(
      /^start: .*create-order, which was refused: token: no client has this access token/,
    ),
  ])
})

test('a pointer that finds nothing, or something else, is told with the one that finds it', async () => {
  const { config } = await opened()
  for (const pointer of ['/id', '/order'])
    expect(await problemsOf({ ...config, start: { ...config.start, requestId: pointer } })).toEqual([
      expect.stringMatching(/^start\.requestId: .* nothing is at this pointer, .* use \/order\/id$/),
    ])
})

test.each([
  [
    'status',
    '/order/state',
    /^probe\.status: GET .* was answered 200: .*; there is no text at \/order\/state; did you mean `\/order\/status`\?$/,
  ],
  ['effects', '/order/parcel', /^probe\.effects: .*there is no count .*; did you mean `\/order\/parcels`\?$/],
  ['effects', '/order/status', /^probe\.effects: .*there is no count .* at \/order\/status/],
])('probe.%s at %s is told with what came back', async (member, pointer, message) => {
  const { config } = await opened()
  expect(await problemsOf({ ...config, probe: { ...config.probe, [member]: pointer } })).toEqual([
    expect.stringMatching(message),
  ])
})

test('a probe that brings no JSON, and one that asks for more, are told', async () => {
  const { config, url } = await opened((path) => {
    if (path.startsWith('/html')) return new Response('<html>')
    return path.startsWith('/secret') ? new Response('who are you?', { status: 401 }) : null
  })
  const probed = (path: string) =>
    problemsOf({ ...config, probe: { ...config.probe, url: `${url}/${path}/{requestId}` } })
  expect(await probed('html')).toEqual([expect.stringMatching(/^probe\.url: .*<html>; expected JSON/)])
  expect(await probed('secret')).toEqual([expect.stringMatching(/^probe\.headers: .* 401: who are you\?/)])
})

test('a probe that does not find what was just paid is told', async () => {
  const { config, url } = await opened()
  expect(
    await problemsOf({ ...config, probe: { ...config.probe, url: `${url}/basket/{requestId}` } }),
  ).toEqual([expect.stringMatching(/^probe\.url: your application answers 404 for the order /)])
})

test('each word that stands under no status is told, with the status that it belongs to', async () => {
  const { config } = await opened()
  const statuses = { COMPLETED: 'sent' }
  expect(await problemsOf({ ...config, probe: { ...config.probe, statuses } })).toEqual([
    expect.stringMatching(/^probe\.statuses\.CREATED: .*"waiting"/),
    expect.stringMatching(/^probe\.statuses\.COMPLETED: .*"paid"/),
    expect.stringMatching(/^probe\.statuses\.FAILED: .*"declined"/),
  ])
})

test('a count that grows by more than one for one payment wants perEffect', async () => {
  const { config } = await opened((path, { purchases }) => {
    const purchase = purchases.get(path.replace('/orders/', ''))
    return purchase === undefined
      ? null
      : Response.json({ order: { status: purchase.state, parcels: purchase.parcels * 500 } })
  })
  expect(await problemsOf(config)).toEqual([
    expect.stringMatching(/^probe\.perEffect: .* is 500 instead of 1; /),
  ])
  const probe = { ...config.probe, perEffect: 500 }
  expect(await conform(emulator, { ...config, probe }, { only: ['K01'] })).toMatchObject({ ok: true })
})

test('a count of all orders is told apart from a count of one', async () => {
  const { config } = await opened((path, { purchases }) => {
    const purchase = purchases.get(path.replace('/orders/', ''))
    const parcels = [...purchases.values()].reduce((sum, each) => sum + each.parcels, 0)
    return purchase === undefined ? null : Response.json({ order: { status: purchase.state, parcels } })
  })
  expect(await problemsOf(config)).toEqual([
    expect.stringMatching(/^probe\.effects: a new order begins with the count 1/),
  ])
})

test('an application that refuses every genuine webhook has another secret, it seems', async () => {
  const { config } = await opened((path) =>
    path === '/webhooks' ? new Response('bad signature', { status: 401 }) : null,
  )
  expect(await problemsOf({ ...config, webhookSignature: 'standard' })).toEqual([
    expect.stringMatching(
      /^webhookSignature: .* 401: bad signature; each was signed correctly .*PAYMENT_ORDER_WEBHOOK_SECRET/,
    ),
  ])
  expect(await problemsOf(config)).toEqual([
    expect.stringMatching(
      /^webhookSignature: .* signed in the header webhook-signature\. If your application verifies/,
    ),
  ])
})

test('calls that only act are told if they are not answered well', async () => {
  const { config, url } = await opened()
  const problems = await problemsOf({
    ...config,
    time: { url: `${url}/clock`, body: { now: '{now}' } },
    reconcile: { url: `${url}/cron`, method: 'PUT' },
    startSubscription: { url: `${url}/subscriptions` },
  })
  expect(problems).toEqual([
    expect.stringMatching(/^time: POST .* with \{"now":"\d+"\} was answered 404/),
    expect.stringMatching(/^startSubscription: POST .* was answered 404/),
    expect.stringMatching(/^reconcile: PUT .* was answered 404/),
  ])
})

test('an application that holds the time of webhooks against the clock that it is told is told so', async () => {
  let ahead = 0
  const { config } = await opened((path) =>
    path === '/webhooks' && ahead > 300_000 ? new Response('too old', { status: 401 }) : null,
  )
  const time = (nowMs: number) => {
    ahead = nowMs - Date.now()
  }
  const run = { ...config, webhookSignature: 'standard' as const, time }
  expect(await problemsOf(run)).toEqual([
    expect.stringMatching(
      /^time: .*has set its clock ahead it answers every webhook 401: too old\. .* signed with the wall-clock time/,
    ),
  ])
  // It still goes by that clock when it is asked again.
  expect(await problemsOf(run)).toEqual([
    expect.stringMatching(
      /^webhookSignature: .* with the wall-clock time, not with the time that `time` sets\?$/,
    ),
  ])
})

test('an application that is told the time and verifies webhooks with the real one is judged', async () => {
  const { config } = await opened()
  const report = await conform(emulator, { ...config, time: () => {} }, { only: ['K01'] })
  expect(report).toMatchObject({ problems: [], cases: [{ verdict: 'PASS' }] })
})

test('a function that throws is told', async () => {
  const { config } = await opened()
  const start = () => Promise.reject(new Error('no mugs left'))
  expect(await problemsOf({ ...config, start })).toEqual(['start: it threw: no mugs left'])
})

test('an application that is merely wrong is left to the cases', async () => {
  const { config } = await opened((path, { purchases }) => {
    for (const purchase of purchases.values()) purchase.parcels = 2
    return path === '/webhooks' && purchases.size > 1 ? new Response(null, { status: 500 }) : null
  })
  const report = await conform(emulator, config, { only: ['K01'] })
  expect(report).toMatchObject({ problems: [], cases: [{ verdict: 'FAIL' }] })
})

test('the client is as it was before, also where the configuration was wrong', async () => {
  const { config, shop } = await opened()
  await shop.client.change({ webhookUrl: 'http://before.test/' })
  await problemsOf({ ...config, webhookUrl: `${nowhere}/` })
  expect(await shop.client.read()).toMatchObject({
    webhookUrl: 'http://before.test/',
    clock: { mode: 'real' },
  })
})

test('an object that is no configuration is told before anything is called', async () => {
  const wrong: ConformConfig = JSON.parse('{"settle": 5, "webhookurl": "http://a.test"}')
  const problems = await problemsOf(wrong)
  expect(problems).toHaveLength(2)
  expect(problems).toContain('webhookurl: unknown key `webhookurl`; did you mean `webhookUrl`?')
  expect(problems).toContain('settle: expected a duration, but 5 has no unit; write 5s, 5m, 5h or 5d')
})

test('nobody is told of containers where conform finds nobody either', async () => {
  const { url } = await startForTest({ place: 'container' })
  const remote = await connectEmulator(url)
  onTestFinished(() => remote.close())
  const { problems } = await conform(remote, { webhookUrl: `${nowhere}/hook` })
  expect(problems).toEqual([
    {
      member: 'webhookUrl',
      message: `nothing answers at ${nowhere}/hook: connect ECONNREFUSED 127.0.0.1:9; is your application running there?`,
    },
  ])
})

test('an application that answers at once, and creates the order in the background, is waited for', async () => {
  const { config, shop } = await opened((path) => {
    if (path !== '/orders') return null
    setTimeout(() => void shop.buy({ text: '' }), 40)
    return Response.json({}, { status: 202 })
  })
  const { requestId: _, ...start } = config.start
  const patient = { ...config, start, patience: '5s' }
  expect(await conform(emulator, patient, { only: ['K01', 'K15'] })).toMatchObject({
    problems: [],
    cases: [
      { id: 'K01', verdict: 'PASS' },
      { id: 'K15', verdict: 'PASS' },
    ],
  })
})

// The tests that a shop's developer writes on the first day: one order is paid, and ships nothing more later; one is
// declined. Takes the name of a reference application, and of a bug or nothing; finds its emulator by the variables of
// `exec`, and prints TAP.

import { setTimeout as pause } from 'node:timers/promises'
import { applicationNames, bugsOf } from '../../conform/matrix/support/references.ts'
import { RunningApplication } from '../../conform/matrix/support/running-application.ts'

const [name = '', bugName] = process.argv.slice(2)
const application = applicationNames.find((each) => each === name)
if (application === undefined) throw new Error(`there is no application ${name}`)
const bug = bugName === undefined ? null : (bugsOf(application).find((each) => each.name === bugName) ?? null)
if (bugName !== undefined && bug === null) throw new Error(`${application} has no bug ${bugName}`)

const emulator = process.env.PAYMENT_ORDER_BASE_URL ?? ''
const clientId = process.env.PAYMENT_ORDER_CLIENT_ID ?? ''
/** A patient test waits so long for what must come. */
const patienceMs = 3_000
/** Test runners end a test after some time; most of them sooner. */
const testLimitMs = 8_000

async function call(url: string, method: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname} answered ${answer.status} ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

const control = (path: string, method: string, body: object) =>
  call(`${emulator}/_emulator${path}`, method, body)
const advance = (by: string) => control(`/clock/advance?clientId=${clientId}`, 'POST', { by })

// Without a token of its own the shop asks for one.
const names = ['BASE_URL', 'CLIENT_ID', 'API_SECRET', 'WEBHOOK_SECRET'].map((each) => `PAYMENT_ORDER_${each}`)
const env = Object.fromEntries(names.map((each) => [each, process.env[each] ?? '']))
const shop = await RunningApplication.start({ application, bug }, env)
const { webhookUrl, webhookSignature, start, probe } = shop.config
const settings = webhookSignature === 'hmac-body' ? { 'webhook.auth': webhookSignature } : {}

const urlIn = (call: object | undefined): string =>
  call !== undefined && 'url' in call ? String(call.url) : ''

/** The state that the shop shows of an order, once it is as expected or the time is over. */
async function shown(requestId: string, wanted: object): Promise<object> {
  const url = urlIn(probe).replace('{requestId}', requestId)
  const until = performance.now() + patienceMs
  for (;;) {
    const { status, parcels } = await call(url, 'GET')
    const is = { status, parcels }
    if (JSON.stringify(is) === JSON.stringify(wanted)) {
      // An unexpected repetition comes soon.
      await pause(300)
      const { status: later, parcels: laterParcels } = await call(url, 'GET')
      return { status: later, parcels: laterParcels }
    }
    if (performance.now() > until) return is
    await pause(50)
  }
}

async function expectShown(requestId: unknown, wanted: object): Promise<void> {
  const is = await shown(String(requestId), wanted)
  if (JSON.stringify(is) !== JSON.stringify(wanted))
    throw new Error(`expected ${JSON.stringify(wanted)}, got ${JSON.stringify(is)}`)
}

const order = { amount: '10.00', email: 'ana@example.com', note: 'one' }

const tests: Readonly<Record<string, () => Promise<void>>> = {
  'a paid order ships one parcel, and no other later': async () => {
    const { requestId } = await call(urlIn(start), 'POST', order)
    await expectShown(requestId, { status: 'waiting', parcels: 0 })
    await advance('10s')
    const paid = { status: 'paid', parcels: 1 }
    await shown(String(requestId), paid)
    // After the last attempt of a webhook, and short of the half hour that a token lives.
    await advance('20m')
    await expectShown(requestId, paid)
  },
  'a declined order ships nothing': async () => {
    await control('/scenarios/next', 'POST', { scenario: 'fail-9004', clientId })
    const { requestId } = await call(urlIn(start), 'POST', order)
    await advance('20m')
    await expectShown(requestId, { status: 'declined', parcels: 0 })
  },
}

const tooLong = async (): Promise<never> => {
  await pause(testLimitMs, undefined, { ref: false })
  throw new Error(`not done within ${testLimitMs / 1_000} s`)
}

let failures = 0
try {
  await control(`/clients/${clientId}`, 'PATCH', { webhookUrl, settings })
  console.log(`1..${Object.keys(tests).length}`)
  for (const [title, run] of Object.entries(tests)) {
    const problem = await Promise.race([run(), tooLong()]).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    if (problem !== null) failures += 1
    console.log(problem === null ? `ok - ${title}` : `not ok - ${title}\n# ${problem}`)
  }
} finally {
  await shop.stop()
}
process.exit(failures === 0 ? 0 : 1)

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { percentile, report } from './support/figures.ts'
import { type HostileRequest, hostileRequests } from './support/hostile-requests.ts'
import { aFolder } from './support/load.ts'
import { longestTurn, watchingItsLoop } from './support/loop-watch.ts'
import { startProgram } from './support/program.ts'
import { type RawAnswer, rawHttp } from './support/raw-http.ts'
import { startRemote } from './support/remote.ts'

const withinMs = 50
/** On a slower or busier machine than the promise is made for, this many times as long will do. */
const patience = 3

test('every request that no honest client sends is refused at once, in words', async () => {
  const proof = join(aFolder(), 'loop')
  const { emulator, program } = await startRemote([], watchingItsLoop(proof))
  const client = await emulator.addClient()
  // The first requests of a process are slow in any case.
  for (const { wire } of hostileRequests()) await rawHttp(program.url, wire)
  await longestTurn(program, proof)

  const requests = hostileRequests()
  const wrong: string[] = []
  const times: number[] = []
  for (const request of requests) {
    const answer = await rawHttp(program.url, request.wire)
    times.push(answer.ms)
    wrong.push(...wrongWith(request, answer).map((what) => `${request.name}: ${what}`))
  }
  const busy = await longestTurn(program, proof)
  report({
    area: 'bad input',
    promise: 'What no honest client sends is refused at once, in words, and keeps nobody waiting',
    test: 'test/hard/limits.test.ts',
    figures: {
      requests: requests.length,
      'not refused as they should be': wrong.length,
      'answer p50 (ms)': Number(percentile(times, 0.5).toFixed(1)),
      'answer max (ms)': Number(Math.max(...times).toFixed(1)),
      'longest turn of the event loop (ms)': Number(busy.toFixed(1)),
    },
  })
  expect(wrong).toEqual([])
  expect(Math.max(...times)).toBeLessThan(patience * withinMs)
  expect(busy).toBeLessThan(patience * withinMs)
  // It is as it was: nothing is polluted, a whole life plays.
  expect((await client.createCheckout('afterwards')).status).toBe(200)
  expect((await client.order('afterwards')).metadata).toEqual({})
})

function wrongWith({ api, statuses }: HostileRequest, { status, head, body }: RawAnswer): string[] {
  const wrong: string[] = []
  if (status === null || !statuses.includes(status))
    wrong.push(`answered ${status}, not ${statuses}: ${body.slice(0, 100)}`)
  const type = /\r\ncontent-type: ([\w/]+)/i.exec(head)?.[1]
  const isPage = api === 'page' && type === 'text/html' && body.startsWith('<!doctype html>')
  if (!isPage && type !== 'application/json') wrong.push('is not announced as JSON')
  if (!/\r\nx-content-type-options: nosniff/i.test(head)) wrong.push('lacks nosniff')
  if (!isPage && !isError(api, body)) wrong.push(`has no error body: ${body.slice(0, 100)}`)
  if (body.length > 16 * 1024) wrong.push(`has a body of ${body.length} characters`)
  return wrong
}

/** Whether a body is an error as the API words its errors. What Node's parser refuses may be worded either way: the
 *  path is not known then. */
function isError(api: HostileRequest['api'], body: string): boolean {
  try {
    const { error } = JSON.parse(body)
    const asText = typeof error === 'string'
    const asObject = typeof error?.code === 'string' && typeof error?.message === 'string'
    return api === 'control' ? asObject || asText : asText || asObject
  } catch {
    return false
  }
}

test('special keys are kept in metadata, and nowhere else', async () => {
  const { emulator } = await startRemote([])
  const client = await emulator.addClient()
  const metadata =
    '{"__proto__":{"polluted":"a"},"constructor":{"prototype":{"polluted":"b"}},"prototype":"c"}'
  const body = `${JSON.stringify(client.checkout('r1')).slice(0, -1)},"metadata":${metadata}}`
  const answer = await client.post('/v1/client/checkout/create-order', body, {
    signed: 'fiatAmount=10.00&requestId=r1',
  })
  expect(answer.status, answer.text).toBe(200)
  expect((await client.cryptoOrders('r1')).text).toContain(metadata)
  expect((await client.createCheckout('r2')).status).toBe(200)
  expect((await client.cryptoOrders('r2')).text).not.toContain('polluted')
})

test('several requests in one go are answered one after the other, in order', async () => {
  const { url } = await startProgram([])
  const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const wire = [Array.from({ length: 100 }, (_, n) => one(`/nothing/${n}`)).join('')]
  const { answers, body } = await rawHttp(url, wire, { answers: 100 })
  expect(answers).toBe(100)
  expect(body).toContain('/nothing/99')
})

test('leave to go on is given to a body that may come', async () => {
  const { url } = await startProgram([])
  const head = 'POST /_emulator/clients HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  const { status } = await rawHttp(url, [`${head}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`])
  expect(status).toBe(201)
})

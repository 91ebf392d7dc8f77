import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as later } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { membersNamed } from '../../../src/conform/config/config.ts'
import {
  type CaseId,
  type ConformConfig,
  type ConformReport,
  conform,
  type Verdict,
} from '../../../src/conform/index.ts'
import { startEmulator } from '../../../src/index.ts'
import { applicationNames } from './support/references.ts'
import { RunningApplication } from './support/running-application.ts'

type Receive = (request: IncomingMessage, response: ServerResponse) => unknown

const answering =
  (status: number, headers: Record<string, string> = {}): Receive =>
  (_, response) =>
    response.writeHead(status, headers).end()

/** Runs all cases with nothing but the URL of a receiver. @param receive is given what verifies its client's webhooks */
async function webhookOnly(
  receive: (verifier: Webhook) => Receive,
  config: ConformConfig = {},
  only?: readonly CaseId[],
): Promise<ConformReport> {
  await using emulator = await startEmulator()
  const client = await emulator.client('demo-client')
  const server = createServer((request, response) =>
    receive(new Webhook(client.webhookSecret))(request, response),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const webhookUrl = `http://127.0.0.1:${address.port}/webhooks`
  try {
    return await conform(emulator, { webhookUrl, ...config }, { only })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const wrongIn = ({ cases }: ConformReport) =>
  cases.flatMap(({ id, verdict, finding }) =>
    verdict === 'FAIL' || verdict === 'WARN' ? `${id} ${verdict}: ${finding?.did}` : [],
  )

const idsOf = ({ cases }: ConformReport, wanted: Verdict) =>
  cases.flatMap(({ id, verdict }) => (verdict === wanted ? id : [])).toSorted()

test.concurrent.each([
  ['200 to everything', () => answering(200)],
  ['404 to everything, for it knows none of these orders', () => answering(404)],
  ['500 to everything, so that orders come again until it knows them', () => answering(500)],
])('a receiver that answers %s is not failed by its answers', async (_, receive) => {
  const report = await webhookOnly(receive)
  expect(report.problems).toEqual([])
  expect(wrongIn(report)).toEqual([])
})

test.concurrent('what a webhook URL alone cannot show says which member of the configuration would', async () => {
  const report = await webhookOnly(() => answering(200))
  const unseen = report.cases.filter(({ verdict }) => verdict === 'NOT-SEEN')
  expect(unseen.length).toBeGreaterThan(15)
  expect(unseen.filter(({ note }) => membersNamed(note ?? '').length === 0)).toEqual([])
})

test.concurrent.each([
  ['with a redirect', 'FAIL', () => answering(302, { location: '/elsewhere' })],
  [
    'after a second and a half',
    'WARN',
    () => async (_: IncomingMessage, response: ServerResponse) => {
      await later(1_500)
      response.end()
    },
  ],
  ['never', 'WARN', () => () => undefined],
])('K03 judges a receiver that answers %s: %s', async (_, verdict, receive) => {
  const report = await webhookOnly(receive, {}, ['K03'])
  expect(report.problems).toEqual([])
  expect(report.cases).toMatchObject([{ id: 'K03', verdict }])
})

test.concurrent('a receiver that verifies as it says passes what is about signatures', async () => {
  const report = await webhookOnly(
    (verifier) => async (request, response) => {
      const body = await text(request)
      try {
        verifier.verify(
          body,
          Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)])),
        )
        response.writeHead(204).end()
      } catch {
        response.writeHead(401).end()
      }
    },
    { webhookSignature: 'standard' },
  )
  expect(idsOf(report, 'PASS')).toEqual(expect.arrayContaining(['K03', 'K04', 'K05', 'K06', 'K07']))
  expect(idsOf(report, 'FAIL')).toEqual([])
})

test.concurrent('a receiver that says it verifies and does not is failed', async () => {
  const report = await webhookOnly(() => answering(200), { webhookSignature: 'standard' })
  expect(idsOf(report, 'FAIL')).toEqual(['K04'])
})

test.concurrent.each(applicationNames)(
  '%s is failed nothing by its webhook URL alone',
  async (application) => {
    await using emulator = await startEmulator()
    const { env } = await emulator.client('demo-client')
    await using running = await RunningApplication.start({ application }, env)
    const { webhookUrl, webhookSignature } = running.config
    const report = await conform(emulator, { webhookUrl, webhookSignature })
    expect(report.problems).toEqual([])
    expect(wrongIn(report)).toEqual([])
  },
)

test.concurrent('a receiver that never answers takes no longer than one that does', async () => {
  const report = await webhookOnly(() => () => undefined)
  expect(idsOf(report, 'FAIL')).toEqual(['K01'])
  const others = report.cases.filter(({ id }) => !['K01', 'K03'].includes(id))
  expect(new Set(others.map(({ note }) => note))).toEqual(
    new Set(['the application answers no webhooks at all: see K01']),
  )
  expect(report.ms).toBeLessThan(60_000)
})

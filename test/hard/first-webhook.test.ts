import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { planFault } from '../support/faults.ts'
import { rawCreate } from '../support/raw-call.ts'
import { report } from './support/figures.ts'
import { startRemote } from './support/remote.ts'

/** Faults by the beginning of the requestIds that they fit. */
const faults: Readonly<Record<string, object>> = {
  delayed: { when: 'before', effect: { delay: '30ms' } },
  held: { when: 'stored', effect: { delay: '30ms' } },
  failed: { when: 'stored', effect: { status: 500 } },
  'failed-late': { when: 'stored', effect: { status: 503, delay: '30ms' } },
  cut: { when: 'stored', effect: { cut: true } },
  reset: { when: 'stored', effect: { reset: true } },
  hung: { when: 'stored', effect: { hang: '50ms' } },
}
const kinds = ['plain', ...Object.keys(faults)]
const calls = 2_400
const connections = 8

/** A receiver that notes each order's first webhook as soon as it has come. */
async function startNoting(note: (requestId: string) => Promise<void>): Promise<string> {
  const seen = new Set<string>()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const { requestId } = JSON.parse(text)
      if (!seen.has(requestId)) void note(requestId)
      seen.add(requestId)
      response.end()
    })
  })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
}

test('under load no webhook comes before the answer to its create call, whatever becomes of that', async () => {
  const { emulator } = await startRemote([])
  const answered = new Set<string>()
  const overtaken: string[] = []
  let webhooks = 0
  const all = Promise.withResolvers<void>()
  const webhookUrl = await startNoting(async (requestId) => {
    // Of two sockets that are ready at once either may be read first.
    await new Promise((resolve) => setImmediate(resolve))
    if (!answered.has(requestId)) overtaken.push(requestId)
    webhooks += 1
    if (webhooks === calls) all.resolve()
  })
  const client = await emulator.addClient({ webhookUrl })
  for (const [kind, fault] of Object.entries(faults))
    await planFault(emulator, client, {
      ...{ on: 'create-order', where: { requestId: `${kind}-at-*` }, for: '1h' },
      ...fault,
    })
  let next = 0
  const caller = async () => {
    for (let n = next++; n < calls; n = next++) {
      const requestId = `${kinds[n % kinds.length]}-at-${n}`
      const call = rawCreate(emulator, client, requestId)
      const ended = call.end()
      await Promise.race([call.answered, ended])
      answered.add(requestId)
      call.leave()
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  await all.promise
  report({
    area: 'load',
    promise: 'No webhook comes before the answer to its create call, whatever becomes of that',
    test: 'test/hard/first-webhook.test.ts',
    figures: { calls, 'kinds of answers': kinds.length, webhooks, overtaken: overtaken.length },
  })
  expect(overtaken).toEqual([])
})

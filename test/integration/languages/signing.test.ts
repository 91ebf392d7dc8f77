import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientVariables } from '../../../src/pages/client-commands.ts'
import { program, startProgram } from '../../hard/support/program.ts'
import type { TestClient } from '../../support/client.ts'
import { emulatorAt } from '../../support/emulator.ts'
import { documentedCommands, type Ended, installed, run, signingPrograms } from './programs.ts'

const built = mkdtempSync(join(tmpdir(), 'poe-languages-'))
afterAll(() => rmSync(built, { recursive: true }))

const { url, child, exited } = await startProgram(['--clock', 'manual', '--seed', 'languages'], {
  atEnd: afterAll,
})
const emulator = emulatorAt(url, async () => {
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})
afterAll(() => emulator.close())

/** Not ASCII, and with what queries, forms and JSON treat specially. */
const requestId = 'pedido-ñ+1 & "más"%20=é\\'

const { CI } = process.env

for (const { language, tool, build, command } of signingPrograms(built)) {
  if (CI === undefined && !installed(tool)) {
    test.skip(`${language}: not run, because ${tool} is not installed`)
    continue
  }

  describe.concurrent(language, () => {
    beforeAll(async () => {
      // Newer Go compiles its whole library the first time.
      if (build !== null) expect(await run(build, {}, { timeoutMs: 120_000 })).toMatchObject({ exitCode: 0 })
    })

    /** Runs the program as a client of the emulator. */
    const runAs = (client: TestClient, changes: Readonly<Record<string, string>> = {}): Promise<Ended> =>
      run([...command, requestId], { ...clientVariables(url, client), ...changes })

    test('creates both orders, looks one up and believes the webhook', async () => {
      const client = await emulator.addClient()
      expect(await runAs(client)).toEqual({
        exitCode: 0,
        out: [
          `checkout ${requestId}: CREATED`,
          `subscription ${requestId}-monthly: CREATED`,
          `lookup ${requestId}: CREATED`,
          `webhook ${requestId}: CREATED\n`,
        ].join('\n'),
        err: '',
      })
    })

    test.each([
      ['PAYMENT_ORDER_ACCESS_TOKEN', 'another', 'Client verification failed'],
      ['PAYMENT_ORDER_WEBHOOK_SECRET', 'whsec_YW5vdGhlcg==', 'webhook refused: the signature is wrong'],
      ['PAYMENT_ORDER_API_SECRET', '', 'PAYMENT_ORDER_API_SECRET is not set'],
    ])('fails with %s=%s: %s', async (name, value, said) => {
      const ended = await runAs(await emulator.addClient(), { [name]: value })
      expect(ended).toMatchObject({ exitCode: 1, err: expect.stringContaining(said) })
    })

    test('signs the text as UTF-8, so that nothing but the key is wrong with another secret', async () => {
      const client = await emulator.addClient()
      expect(await runAs(client, { PAYMENT_ORDER_API_SECRET: 'another' })).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining('Client verification failed'),
      })
      const query = `clientId=${client.clientId}&operation=create-checkout-order`
      const [refused] = (await emulator.control(`/requests?${query}`)).items
      expect(refused).toMatchObject({ status: 401, diagnosis: { cause: 'signature.wrong' } })
    })

    test.each([
      ['signed with another key', { sign: 'wrong' }, 'the signature is wrong'],
      ['changed on its way', { tamper: true }, 'the signature is wrong'],
      ['unsigned', { sign: false }, 'a header is missing'],
      ['ten minutes old', { sign: 'old' }, 'the timestamp differs by more than five minutes'],
      ['ten minutes ahead', { timestamp: '10m' }, 'the timestamp differs by more than five minutes'],
      [
        'stamped with a word',
        { headers: { 'webhook-timestamp': 'now' } },
        'the timestamp differs by more than five minutes',
      ],
    ])('refuses a webhook that is %s', async (_, effect, reason) => {
      const client = await emulator.addClient()
      const { clientId } = client
      await emulator.control('/faults', 'POST', { clientId, on: 'delivery', effect })
      const ended = await runAs(client)
      expect(ended).toMatchObject({ exitCode: 1, err: expect.stringContaining(`webhook refused: ${reason}`) })
      await client.settle()
      const [delivery] = await client.deliveries()
      expect(delivery).toMatchObject({ requestId, attempts: [{ status: 401 }] })
    })

    test('believes a webhook of whose signatures only the second is right', async () => {
      const client = await emulator.addClient()
      const { clientId } = client
      await emulator.control(`/deliveries/hold?clientId=${clientId}`, 'POST')
      const ended = runAs(client)
      const where = { operation: 'orders' }
      await emulator.control(`/wait?clientId=${clientId}`, 'POST', {
        for: 'request',
        where,
        timeoutMs: 20_000,
      })
      const { webhookUrl } = (await emulator.control(`/clients/${clientId}`)).json
      const answer = await sentByHand(String(webhookUrl), client.webhookSecret)
      expect(answer.status).toBe(204)
      expect(await ended).toMatchObject({ exitCode: 0, out: expect.stringContaining(': PAID') })
    })
  })
}

test.each(documentedCommands())('under exec, as documented: %s', async (command) => {
  const [tool = ''] = command.split(' ')
  if (CI === undefined && !installed(tool)) return console.log(`not run, because ${tool} is not installed`)
  const ended = await run([process.execPath, program, 'exec', '--', ...command.split(' ')])
  expect(ended).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^webhook \S+: CREATED$/m) })
})

/** A webhook as it comes while a secret is being replaced, its body no JSON that any of the languages would write. */
function sentByHand(webhookUrl: string, secret: string): Promise<Response> {
  const now = new Date()
  const body = `{ "orderStatus" :"PAID",\n "requestId":${JSON.stringify(requestId)} }\n`
  const signature = new Webhook(secret).sign('msg_1', now, body)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${signature}`,
  }
  return fetch(webhookUrl, { method: 'POST', headers, body })
}

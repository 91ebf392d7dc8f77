import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { demoCredentials } from '../../src/domain/client/client.ts'
import { TestClient } from '../support/client.ts'
import { emulatorAt } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { startReceiver } from '../support/receiver.ts'
import { spawnProgram } from './spawned.ts'

test('a kill -9 loses neither the strict order, nor the failures in a row, nor a rotation', async () => {
  const folder = aFolder()
  const settings = join(folder, 'settings.yaml')
  writeFileSync(settings, 'webhook: { order: strict, disableAfter: 3, on: [CREATED], retry.base: 1m }\n')
  const receiver = await startReceiver()
  const start = async () => {
    const program = spawnProgram([
      ...['serve', '--port', '0', '--database', join(folder, 'e.db'), '--durable', '--clock', 'manual'],
      ...['--settings', settings],
    ])
    const [, url = ''] = await program.wrote(/"event":"ready","url":"(http:[^"]+)"/)
    const emulator = emulatorAt(url, async () => {})
    const client = new TestClient(emulator, { clientId: 'demo-client', ...demoCredentials })
    const kill = async () => {
      program.child.kill('SIGKILL')
      await program.ended
    }
    return { emulator, client, kill }
  }
  const arrived = () => receiver.requests.map(({ json }) => json.requestId)

  receiver.answerWith({ status: 500 }, 'hang', { status: 500 })
  const first = await start()
  await first.client.change({ webhookUrl: receiver.url })
  for (const name of ['r1', 'r2']) await first.client.createCheckout(name)
  await first.client.settle()
  const { json } = await first.emulator.control('/clients/demo-client/rotate-webhook-secret', 'POST')
  const advanced = first.client.advance('1m').catch(() => null)
  await receiver.received(2)
  await first.kill()
  await advanced

  const second = await start()
  await second.client.settle()
  expect(arrived(), 'the one that was in flight, and not the newer one').toEqual(['r1', 'r1', 'r1'])
  const client = (await second.emulator.control('/clients/demo-client')).json
  expect(client).toMatchObject({ failedInARow: 2, webhookSecret: json.webhookSecret })
  expect(client.previousWebhookSecret).toEqual(json.previousWebhookSecret)
  const signatures = String(receiver.requests.at(-1)?.headers['webhook-signature']).split(' ')
  expect(signatures).toHaveLength(2)
  await second.client.advance('1h')
  expect(arrived()).toEqual(['r1', 'r1', 'r1', 'r1'])
  expect((await second.emulator.control('/clients/demo-client')).json).toMatchObject({ pausedAfter: 3 })
  await second.kill()
})

import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { create, startForTest } from './cli/running.ts'
import { serverFor } from './cli/servers.ts'

test('while it waits for a delivery to end, an answer ends its connection: a busy client would go on', async () => {
  const asked = Promise.withResolvers<ServerResponse>()
  const receiver = await serverFor((_, response) => asked.resolve(response))
  const { url, close } = await startForTest({ webhookUrl: receiver.url })
  const busy = connect(Number(new URL(url).port), '127.0.0.1')
  busy.write('GET /_emulator/health HTTP/1.1\r\nhost: localhost\r\n')
  await create(url, 'r1')
  const delivery = await asked.promise

  const closed = close()
  busy.write('\r\n')
  let answer = ''
  for await (const part of busy.setEncoding('utf8')) answer += part
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  delivery.end()
  await closed
})

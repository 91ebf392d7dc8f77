import { expect, onTestFinished, test } from 'vitest'
import { configSchema } from '../../src/app/config.ts'
import { createEmulator } from '../../src/app/emulator.ts'

/** An emulator without a port. After an awaited answer, the next call can be made before anything else in the
 *  process goes on. */
async function withinProcess() {
  const bugs: unknown[] = []
  const emulator = await createEmulator(configSchema.parse({ clock: 'manual' }), (bug) => bugs.push(bug))
  onTestFinished(async () => {
    await emulator.close()
    expect(bugs).toEqual([])
  })
  const send = async (path: string, init: { method?: string; body?: string } = {}) => {
    const headers = { host: '127.0.0.1', 'content-type': 'application/json' }
    return emulator.answer(new Request(`http://127.0.0.1${path}`, { ...init, headers }))
  }
  // Loads the code that answers such calls.
  await send('/_emulator/about')
  return { send }
}

test.each([
  ['counts', '/_emulator/about', { sinceStart: { requests: 3, refusals: 3 } }],
  ['journal', '/_emulator/requests', { items: [{ path: '/one' }, { path: '/two' }, { path: '/three' }] }],
  ['metrics', '/_emulator/metrics', /requests_total\{[^}]*\} 3/],
])('of a request that is answered the %s can be asked at once', async (_, path, expected) => {
  const { send } = await withinProcess()
  for (const asked of ['/one', '/two', '/three']) await send(asked)
  const text = await (await send(path)).text()
  if (expected instanceof RegExp) expect(text).toMatch(expected)
  else expect(JSON.parse(text)).toMatchObject(expected)
})

test('whoever waits for a request finds the newest of those that were answered before', async () => {
  const { send } = await withinProcess()
  await Promise.all([send('/one'), send('/two'), send('/three')])
  const body = JSON.stringify({ for: 'request', timeoutMs: 0 })
  const found = await send('/_emulator/wait', { method: 'POST', body })
  expect(await found.json()).toMatchObject({ path: '/three' })
})

import { expect, onTestFinished, test } from 'vitest'
import { type ConfigInput, configSchema } from '../../src/app/config.ts'
import { createEmulator } from '../../src/app/emulator.ts'

/** An emulator that was started like this, and how it answers a look at its clients. */
async function startedWith(input: ConfigInput) {
  const emulator = await createEmulator(configSchema.parse(input), () => undefined)
  onTestFinished(() => emulator.close())
  const ask = async (headers: Record<string, string> = {}, path = '/_emulator/clients') =>
    (await emulator.app.request(path, { headers: { host: '127.0.0.1:4600', ...headers } })).status
  return { emulator, ask }
}

const bearer = (token: string | null) => ({ authorization: `Bearer ${token}` })

test.each([undefined, '127.0.0.1', '127.0.0.7', '::1', 'localhost'])(
  'on %s the control API is open',
  async (host) => {
    const { emulator, ask } = await startedWith(host === undefined ? {} : { host })
    expect(emulator.controlToken).toBeNull()
    expect(await ask()).toBe(200)
  },
)

test.each(['0.0.0.0', '::', '192.168.1.7', 'emulator.example.com'])(
  'on %s a random token is made, another one each time, and asked for',
  async (host) => {
    const { emulator, ask } = await startedWith({ host })
    const other = await startedWith({ host })
    expect(emulator.controlToken).toMatch(/^[\w-]{24}$/)
    expect(emulator.controlToken).not.toBe(other.emulator.controlToken)
    expect(await ask()).toBe(401)
    expect(await ask(bearer(emulator.controlToken))).toBe(200)
    expect(await ask(bearer(other.emulator.controlToken))).toBe(401)
  },
)

test('open control asks for no token on another host, but looks at the Host header', async () => {
  const { emulator, ask } = await startedWith({ host: '0.0.0.0', openControl: true })
  expect(emulator.controlToken).toBeNull()
  expect(await ask()).toBe(200)
  expect(await ask({ host: 'evil.example' })).toBe(421)
})

test.each(['127.0.0.1', '0.0.0.0'])('a given token wins over open control on %s', async (host) => {
  const { emulator, ask } = await startedWith({ host, openControl: true, controlToken: 'given-token' })
  expect(emulator.controlToken).toBe('given-token')
  expect(await ask()).toBe(401)
  expect(await ask(bearer('given-token'))).toBe(200)
})

test.each<[string, ConfigInput]>([
  ['--allowed-host', { allowedHosts: ['Shop.example.com'] }],
  ['--public-url', { publicUrl: 'https://shop.example.com:8443/pay' }],
])('the host of %s passes, and no other of its domain', async (_, input) => {
  const { ask } = await startedWith(input)
  expect(await ask({ host: 'shop.example.com:4600' })).toBe(200)
  expect(await ask({ host: 'example.com' })).toBe(421)
  expect(await ask({ host: 'evil.shop.example.com' })).toBe(421)
})

test('what every application must reach stands behind nothing', async () => {
  const { ask } = await startedWith({ controlToken: 'given-token' })
  const foreign = { host: 'evil.example', 'sec-fetch-site': 'cross-site' }
  expect(await ask(foreign, '/_emulator/health')).toBe(200)
  expect(await ask(foreign, '/_emulator/access-token')).toBe(405)
  expect(await ask(foreign, '/v1/client/orders')).toBe(401)
  expect(await ask(foreign, '/pay/some-token')).toBe(404)
  expect(await ask(foreign, '/llms.txt')).toBe(200)
})

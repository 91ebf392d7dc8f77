import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../tools/free-port.ts'
import { emulatorAt, type TestEmulator } from '../../support/emulator.ts'
import { aFolder } from '../../support/folder.ts'
import { startReceiver } from '../../support/receiver.ts'
import { composeUp } from './compose.ts'
import type { Container } from './container.ts'
import { Engine, type RunOptions } from './engine.ts'
import { buildImage, type OurImage } from './image.ts'
import { whatIsMissing } from './requirements.ts'

const missing = whatIsMissing()
if (missing !== null) console.warn(`The image is neither built nor run: ${missing}.`)

describe.skipIf(missing !== null && !process.env.CI)('the image', { timeout: 30_000 }, () => {
  let image: OurImage
  let engine: Engine

  beforeAll(async () => {
    if (missing !== null) throw new Error(missing)
    image = await buildImage(`localhost/payment-order-emulator:test-${process.pid}`)
    engine = await Engine.start(image)
  })

  afterAll(async () => {
    await engine?.close()
    await image?.remove()
  })

  test('adds at most 30 MB to its base', () => {
    const megabytes = image.addedBytes / 1e6
    console.log(`our layers: ${megabytes.toFixed(1)} MB`)
    expect(megabytes).toBeGreaterThan(1)
    expect(megabytes).toBeLessThanOrEqual(30)
  })

  test('has one port, a volume, a user that is not root, and the version of the package', () => {
    const { ExposedPorts, Volumes, User, Labels } = image.config
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect({ ExposedPorts, Volumes }).toEqual({ ExposedPorts: ['4600/tcp'], Volumes: ['/data'] })
    expect(User).toMatch(/^[1-9]\d*:\d+$/)
    expect(Labels).toMatchObject({ 'org.opencontainers.image.version': version })
  })

  test('is built on the base of the given digest, and says so', () => {
    const { digest, name } = image.base
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(image.config.Labels).toMatchObject({ 'org.opencontainers.image.base.name': `${name}@${digest}` })
  })

  test('is not built where the base has another digest', async () => {
    const other = `sha256:${'0'.repeat(64)}`
    await expect(buildImage('localhost/payment-order-emulator:never', other)).rejects.toThrow(other)
  })

  test('has nothing in it that its user could change, and one binary alone', () => {
    const program = join(engine.files, 'opt', 'payment-order-emulator')
    const paths = [
      program,
      ...readdirSync(program, { recursive: true, encoding: 'utf8' }).map((name) => join(program, name)),
    ]
    const changeable = paths.filter(
      (path) => lstatSync(path).uid !== 0 || (lstatSync(path).mode & 0o022) !== 0,
    )
    expect(changeable).toEqual([])
    expect(paths.filter((path) => path.endsWith('.node'))).toHaveLength(1)
  })

  test('runs as its user, and can write nowhere but in its volume', async () => {
    const { container } = await start()
    const { out } = await container.exec(
      'sh',
      '-c',
      'id -u; for f in /x /tmp/x /scenarios/x /data/x; do touch $f && echo $f; done',
    )
    expect(out).toBe('1000\n/data/x\n')
  })

  test('takes an order from its creation to COMPLETED, and tells of it', async () => {
    const { emulator, container } = await start()
    const receiver = await startReceiver()
    const client = await emulator.addClient({ webhookUrl: receiver.url, clock: { mode: 'manual' } })

    expect((await client.createCheckout('order-1')).status).toBe(200)
    await client.advance('1m')

    const webhooks = await receiver.received(2)
    const told = webhooks.map((webhook) => client.verifyWebhook(webhook))
    expect(told).toMatchObject([{ orderStatus: 'CREATED' }, { orderStatus: 'COMPLETED' }])
    expect((await client.fiatOrders('order-1')).record).toMatchObject({ orderStatus: 'COMPLETED' })
    expect(await container.stop()).toMatchObject({ code: 0, err: '' })
  })

  test('says what localhost means in a container when nobody is there', async () => {
    const { emulator } = await start()
    const client = await emulator.addClient({ webhookUrl: 'http://127.0.0.1:1/', clock: { mode: 'manual' } })
    await client.createCheckout('order-1')
    await client.settle()
    expect(JSON.stringify(await client.deliveries())).toContain('the emulator runs in a container')
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 within 5 s of %s', async (signal) => {
    const { container } = await start()
    const before = performance.now()
    expect(await container.stop(signal)).toMatchObject({ code: 0 })
    expect(performance.now() - before).toBeLessThan(5_000)
  })

  test('listens on the port that it exposes, unless EMULATOR_PORT names another', async () => {
    const container = engine.run({ network: 'own' })
    await container.healthy()
    const [port] = image.config.ExposedPorts.map(Number.parseInt)
    const asked = `fetch('http://127.0.0.1:${port}/_emulator/health').then(({ status }) => process.exit(status === 200 ? 0 : 1))`
    expect(await container.exec('node', '-e', asked)).toMatchObject({ code: 0 })
  })

  test('has pages that name its commands as they are called within', async () => {
    const { emulator } = await start()
    const { text } = await emulator.send('/_emulator/ui/deliveries', {
      method: 'GET',
      headers: { accept: 'text/html' },
    })
    expect(text).toContain('<code>payment-order-emulator listen ')
    expect(text).not.toMatch(/npm start|npx /)
  })

  test('says once that its control API is open', async () => {
    const { container } = await start()
    const { out } = await container.stop()
    expect(out.match(/"event":"warning".*can use the control API/g)).toHaveLength(1)
  })

  test('given a control token, asks for it, but not when its health is asked for', async () => {
    const { emulator, container } = await start({ env: { EMULATOR_CONTROL_TOKEN: 'open-sesame' } })
    const get = (headers: Record<string, string>) =>
      emulator.send('/_emulator/clients', { method: 'GET', headers })
    expect((await get({})).status).toBe(401)
    expect((await get({ authorization: 'Bearer open-sesame' })).status).toBe(200)
    expect((await container.stop()).out).not.toContain('can use the control API')
  })

  test('keeps orders in the volume from one container to the next', async () => {
    const data = aFolder()
    chmodSync(data, 0o1777)
    const kept = { mounts: { '/data': data }, env: { EMULATOR_DATABASE: '/data/orders.db' } }
    const first = await start(kept)
    const client = await first.emulator.addClient({ clientId: 'C1' })
    await client.createCheckout('order-1')
    await first.container.stop()

    const { emulator } = await start(kept)
    expect((await emulator.control('/orders?clientId=C1')).items).toMatchObject([{ requestId: 'order-1' }])
  })

  test('keeps nothing without a database that is named', async () => {
    const { emulator, container } = await start()
    await (await emulator.addClient()).createCheckout('order-1')
    expect(await container.exec('ls', '-A', '/data', '/tmp')).toMatchObject({ out: '/data:\n\n/tmp:\n' })
  })

  test('runs as any other user, and can write its volume', async () => {
    const { emulator } = await start({
      user: '1000650000:0',
      env: { EMULATOR_DATABASE: '/data/orders.db' },
    })
    const client = await emulator.addClient()
    expect((await client.createCheckout('order-1')).status).toBe(200)
  })

  test('serves the scenarios of a folder, and follows them', async () => {
    const folder = scenarioFolder()
    writeFileSync(join(folder, 'mine.yaml'), scenario('as it was'))
    const { emulator } = await start({ mounts: { '/scenarios': folder } })
    expect(await described(emulator)).toBe('as it was')
    writeFileSync(join(folder, 'mine.yaml'), scenario('as it is'))
    await expect.poll(() => described(emulator), { timeout: 5_000 }).toBe('as it is')
  })

  test('follows the scenarios of a cluster, which swaps a link to replace them all', async () => {
    const folder = scenarioFolder()
    publish(folder, '..1', 'as it was')
    symlinkSync('..data/mine.yaml', join(folder, 'mine.yaml'))
    const { emulator } = await start({ mounts: { '/scenarios': folder } })
    expect(await described(emulator)).toBe('as it was')
    publish(folder, '..2', 'as it is')
    await expect.poll(() => described(emulator), { timeout: 5_000 }).toBe('as it is')
  })

  test.each([
    ['a wrong flag', ['--clok', 'manual'], /^error: unknown option '--clok'.*--clock.*\n$/],
    ['a wrong command', ['chek'], /^error: unknown command "chek".*check.*\n$/],
    ['a file that is not there', ['check', 'none.yaml'], /none\.yaml/],
  ])('%s: one clear line and exit code 2', async (_, command, words) => {
    const ended = await engine.run({ command }).ended
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toMatch(words)
  })

  test('runs other commands, and finds files where scenarios are mounted', async () => {
    const folder = scenarioFolder()
    writeFileSync(join(folder, 'mine.yaml'), scenario('fine'))
    const checked = engine.run({ command: ['check', 'mine.yaml'], mounts: { '/scenarios': folder } })
    expect(await checked.ended).toEqual({ code: 0, out: '1 scenario file: no problems\n', err: '' })
  })

  test('serves the shop of examples/compose', async () => {
    const node = await Engine.start(image.base)
    onTestFinished(() => node.close())
    const services = await composeUp('examples/compose/compose.yaml', { emulator: engine, shop: node })
    const shop = await services.get('shop')?.ended
    expect(shop).toMatchObject({ code: 0, err: '' })
    expect(shop?.out).toMatch(/is FAILED/)
    expect(await services.get('emulator')?.stop()).toMatchObject({ code: 0 })
  })

  /** A container that is healthy, by the image's own check, on a port of its own. */
  async function start(options: RunOptions = {}): Promise<{ container: Container; emulator: TestEmulator }> {
    const port = await freePort()
    const container = engine.run({ ...options, env: { EMULATOR_PORT: String(port), ...options.env } })
    await container.healthy()
    const emulator = emulatorAt(`http://127.0.0.1:${port}`, () => container.stop('SIGKILL').then(() => {}))
    onTestFinished(() => emulator.close())
    return { container, emulator }
  }
})

const scenario = (description: string) => `id: mine\ndescription: ${description}\ntimeline: []\n`

async function described(emulator: TestEmulator) {
  return (await emulator.control('/scenarios/mine')).json.description
}

/** A folder that any user may look into. */
function scenarioFolder(): string {
  const folder = aFolder()
  chmodSync(folder, 0o755)
  return folder
}

/** Puts a version of the scenarios in place as Kubernetes does with a ConfigMap. */
function publish(folder: string, version: string, description: string): void {
  mkdirSync(join(folder, version))
  writeFileSync(join(folder, version, 'mine.yaml'), scenario(description))
  symlinkSync(version, join(folder, '..coming'))
  renameSync(join(folder, '..coming'), join(folder, '..data'))
}

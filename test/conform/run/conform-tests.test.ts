import { expect, test, vi } from 'vitest'
import { CaseFailed, ConformTests, NotConfigured } from '../../../src/conform/index.ts'
// `startEmulator` loads it late; on a busy machine that would take longer than a test may.
import '../../../src/app/emulator.ts'
import { ModelShop, shops } from '../support/model-shop.ts'

/** Releases with each webhook. */
class Doubling extends ModelShop {
  override act(requestId: string, record: { orderId: string; orderStatus: string }) {
    this.purchases.get(requestId)?.shipped.clear()
    super.act(requestId, record)
  }
}

async function testsOf(shop: typeof ModelShop) {
  const { emulator, open } = await shops()
  const opened = await open(shop)
  return { emulator, shop: opened, tests: new ConformTests({ emulator, config: opened.config }) }
}

test('the cases are known before there is an emulator, those of the whole client last', () => {
  const tests = new ConformTests(() => Promise.reject(new Error('asked too early')))
  expect(tests.cases[0]).toEqual({ id: 'K01', level: 'MUST', title: 'An order is paid' })
  expect(new ConformTests(() => Promise.reject(), { only: ['K08'] }).cases).toMatchObject([{ id: 'K08' }])
})

test('what the tests are about is asked for once, however many cases there are', async () => {
  const { emulator, open } = await shops()
  const { config } = await open(ModelShop)
  const tested = vi.fn(async () => ({ emulator, config }))
  const tests = new ConformTests(tested)
  await Promise.all([tests.check('K01'), tests.check('K08')])
  expect(tested).toHaveBeenCalledOnce()
})

test('cases that are called at once run one after the other', async () => {
  const { emulator, open } = await shops()
  const { config } = await open(ModelShop)
  const seen: string[] = []
  const tests = new ConformTests(
    { emulator, config },
    {
      onCase: ({ id }) => seen.push(`${id} begins`),
      onResult: ({ id, verdict }) => seen.push(`${id} ${verdict}`),
    },
  )
  await Promise.all([tests.check('K01'), tests.check('K08')])
  expect(seen).toEqual(['K01 begins', 'K01 PASS', 'K08 begins', 'K08 PASS'])
})

test('a failure explains itself, and its stack begins in the test', async () => {
  const { tests } = await testsOf(Doubling)
  const failed: unknown = await tests.check('K08').catch((error: unknown) => error)
  if (!(failed instanceof CaseFailed)) throw failed
  expect(failed.message).toMatch(/^K08 FAIL: The same webhook again immediately/)
  for (const part of ['It fulfilled', 'webhook-id: ', '-t K08']) expect(failed.message).toContain(part)
  // No shell reaches a shop that is a function, nor an emulator that is about to be closed.
  expect(failed.message).not.toContain('curl')
  expect(failed.stack?.slice(`CaseFailed: ${failed.message}\n`.length)).toMatch(
    /^ +at .*conform-tests\.test\.ts/,
  )
  expect(failed.result).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
})

test('what a test runner prints of a failure is its message, not the whole result', async () => {
  const { tests } = await testsOf(Doubling)
  const failed = await tests.check('K08').catch((error: unknown) => error)
  expect(Object.keys(Object(failed))).not.toContain('result')
})

test('each case fails for a wrong configuration, and says what is wrong', async () => {
  const { emulator, open } = await shops()
  const shop = await open(ModelShop)
  const tests = new ConformTests({ emulator, config: { ...shop.config, start: () => null } })
  for (const id of ['K01', 'K08'] as const) {
    const refused: unknown = await tests.check(id).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(NotConfigured)
    expect(refused).toMatchObject({ problems: [{ member: 'start' }] })
    expect(String(refused)).toContain('- start: ')
  }
})

test('what the configuration lacks for one case leaves the others as they are', async () => {
  const { emulator, open } = await shops()
  const { config } = await open(ModelShop)
  let broken = false
  const time = () => {
    if (broken) throw new Error('no clock')
  }
  const tests = new ConformTests(
    { emulator, config: { ...config, time } },
    {
      onCase: ({ id }) => {
        broken = id === 'K08'
      },
    },
  )
  await tests.check('K01')
  await expect(tests.check('K08')).rejects.toThrow(/time: .*no clock/)
  await expect(tests.check('K11')).resolves.toMatchObject({ verdict: 'PASS' })
})

test('what could not be seen is neither passed nor failed', async () => {
  const { emulator, open } = await shops()
  const { config } = await open(ModelShop)
  const tests = new ConformTests({ emulator, config: { ...config, probe: undefined } })
  const { verdict, note } = await tests.check('K01')
  expect([verdict, note]).toEqual(['NOT-SEEN', expect.stringContaining('`probe`')])
})

test('closing puts the client back, and does nothing where nothing has run', async () => {
  const { tests, shop } = await testsOf(ModelShop)
  await shop.client.setWebhookUrl('http://before.test/')
  await shop.client.clock.set({ mode: 'real', speed: 60 })
  await tests.check('K01')
  await tests.close()
  expect(await shop.client.read()).toMatchObject({
    webhookUrl: 'http://before.test/',
    clock: { mode: 'real', speed: 60 },
  })
  const unused = new ConformTests(() => Promise.reject(new Error('asked in vain')))
  await unused.close()
})

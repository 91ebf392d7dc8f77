import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { NotConfigured, StoryFailed, StoryTests } from '../../../src/conform/index.ts'
import { aFolder } from '../../support/folder.ts'
// `startEmulator` loads it late; on a busy machine that would take longer than a test may.
import '../../../src/app/emulator.ts'
import { CarefulShop } from '../support/careful-shop.ts'
import { ModelShop, shops } from '../support/model-shop.ts'
import { RacingShop } from '../support/racing-shop.ts'

const acts = {
  race: '[create, hold webhooks, pay, together: [reconcile, the browser returns]]',
  plain: '[create, pay]',
  restarted: '[create, restart, pay]',
}

/** A folder with stories. */
function stories(...names: readonly (keyof typeof acts)[]): { folder: string } {
  const folder = aFolder()
  for (const name of names)
    writeFileSync(join(folder, `${name}.yaml`), `promise: released-once\nacts: ${acts[name]}\n`)
  return { folder }
}

async function testedShop(shop: typeof ModelShop) {
  const { emulator, open } = await shops()
  const opened = await open(shop)
  return { emulator, shop: opened, config: opened.config }
}

test('the stories are known before there is an emulator', () => {
  const tests = new StoryTests(() => Promise.reject(new Error('asked too early')), stories('race', 'plain'))
  expect(tests.stories).toEqual([{ name: 'plain' }, { name: 'race' }])
})

test('a folder without a story is an error, since its tests would be none', () => {
  const { folder } = stories()
  expect(() => new StoryTests(() => Promise.reject(), { folder })).toThrow('contains no .yaml or .yml file')
})

test('a story that breaks a promise throws its report, and the stack begins in the test', async () => {
  const tests = new StoryTests(await testedShop(RacingShop), stories('race', 'plain'))
  const failed: unknown = await tests.check('race').catch((error: unknown) => error)
  if (!(failed instanceof StoryFailed)) throw failed
  expect(failed.message).toMatch(/^race: released twice\n/)
  for (const part of [
    '4. reconcile + the browser returns',
    'released 2, paid 1',
    'released-once',
    '-t "race"',
  ])
    expect(failed.message).toContain(part)
  expect(failed.stack?.slice(`StoryFailed: ${failed.message}\n`.length)).toMatch(
    /^ +at .*story-tests\.test\.ts/,
  )
  expect(failed.result).toMatchObject({ verdict: 'FAIL', broken: { promise: 'released-once' } })
  expect(Object.keys(failed)).not.toContain('result')
  expect(await tests.check('plain')).toMatchObject({ verdict: 'PASS' })
})

test('a story that cannot be played is neither passed nor failed', async () => {
  const tests = new StoryTests(await testedShop(CarefulShop), stories('restarted'))
  expect(await tests.check('restarted')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('`restart`'),
  })
})

test('stories that are called at once are played one after the other, on one client', async () => {
  const { emulator, config } = await testedShop(CarefulShop)
  const tested = vi.fn(async () => ({ emulator, config }))
  const seen: string[] = []
  const tests = new StoryTests(tested, stories('plain', 'race'), {
    times: 1,
    onStory: ({ name, n, of }) => seen.push(`${name} begins, ${n} of ${of}`),
    onResult: ({ name, verdict }) => seen.push(`${name} ${verdict}`),
  })
  await Promise.all([tests.check('race'), tests.check('plain')])
  expect(tested).toHaveBeenCalledOnce()
  expect(seen).toEqual(['race begins, 2 of 2', 'race PASS', 'plain begins, 1 of 2', 'plain PASS'])
})

test('each story fails for a wrong configuration, and says what is wrong', async () => {
  const { emulator, config } = await testedShop(ModelShop)
  const tests = new StoryTests(
    { emulator, config: { ...config, start: undefined } },
    stories('plain', 'race'),
  )
  for (const name of ['plain', 'race']) {
    const refused: unknown = await tests.check(name).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(NotConfigured)
    expect(String(refused)).toContain('- start: ')
  }
})

test('a wrong file fails its own test alone', async () => {
  const { folder } = stories('plain')
  writeFileSync(join(folder, 'wrong.yaml'), 'acts: [create]')
  const tests = new StoryTests(await testedShop(ModelShop), { folder }, { times: 1 })
  await expect(tests.check('wrong')).rejects.toThrow(/wrong\.yaml:1:1: `promise` is missing/)
  await expect(tests.check('plain')).resolves.toMatchObject({ verdict: 'PASS' })
  await expect(tests.check('nothing')).rejects.toThrow('there is no story "nothing"')
})

test('closing puts the client back, and does nothing where nothing was played', async () => {
  const tested = await testedShop(ModelShop)
  await tested.shop.client.setWebhookUrl('http://before.test/')
  const tests = new StoryTests(tested, stories('plain'), { times: 1 })
  await tests.check('plain')
  await tests.close()
  expect(await tested.shop.client.read()).toMatchObject({ webhookUrl: 'http://before.test/' })
  await new StoryTests(() => Promise.reject(new Error('asked in vain')), stories('plain')).close()
})

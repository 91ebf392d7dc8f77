import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playStories, type StoryInWords } from '../../../src/conform/index.ts'
import { storyTerminalReport } from '../../../src/conform/stories/report/terminal-report.ts'
import { aFolder } from '../../support/folder.ts'
// `startEmulator` loads it late; on a busy machine that would take longer than a test may.
import '../../../src/app/emulator.ts'
import { CarefulShop } from '../support/careful-shop.ts'
import { type ModelShop, shops } from '../support/model-shop.ts'
import { overPort } from '../support/over-port.ts'
import { RacingShop } from '../support/racing-shop.ts'

const race: StoryInWords = {
  name: 'race',
  promise: 'released-once',
  acts: ['create', 'hold webhooks', 'pay', { together: ['reconcile', 'the browser returns'] }],
}
const plain: StoryInWords = { name: 'plain', promise: 'released-once', acts: ['create', 'pay'] }

async function opened<Shop extends ModelShop>(
  shop: new (...args: ConstructorParameters<typeof ModelShop>) => Shop,
) {
  const { emulator, open } = await shops()
  const opened = await open(shop)
  return { emulator, shop: opened, config: opened.config }
}

test('a story that breaks its promise fails, and says what happened in which act', async () => {
  const { emulator, config, shop } = await opened(RacingShop)
  await shop.client.setWebhookUrl('http://before.test/')
  const report = await playStories(emulator, config, [race, plain], { seed: 'a seed', times: 2 })
  expect(report).toMatchObject({ ok: false, seed: 'a seed', clientId: config.client, problems: [] })
  const [first, second] = report.stories
  expect(first).toMatchObject({
    name: 'race',
    file: null,
    acts: race.acts,
    verdict: 'FAIL',
    broken: { promise: 'released-once', title: 'released twice', did: 'released 2, paid 1', time: 1 },
    note: null,
    times: 1,
  })
  expect(first?.seen.slice(2)).toEqual([
    expect.stringContaining('order COMPLETED'),
    expect.stringContaining('released 2'),
  ])
  expect(shop.show(first?.requestId ?? '')).toMatchObject({ effects: 2 })
  expect(second).toMatchObject({ verdict: 'PASS', broken: null, times: 2 })
  expect(await shop.client.read()).toMatchObject({ webhookUrl: 'http://before.test/' })
  expect(await shop.client.faults.list()).toEqual([])
})

test('a webhook whose connection broke is shown as not answered', async () => {
  const { emulator, config } = await opened(CarefulShop)
  const acts = ['create', 'cut the next webhook', 'pay']
  const { stories } = await playStories(emulator, config, [{ ...plain, acts }], { times: 1 })
  expect(stories[0]?.seen[2]).toMatch(/^order COMPLETED; webhook COMPLETED not answered/)
})

test('a right application keeps all promises each time', async () => {
  const { emulator, config } = await opened(CarefulShop)
  const seen: unknown[] = []
  const report = await playStories(emulator, config, [race], {
    times: 3,
    onStory: (about) => seen.push(about),
    onResult: ({ verdict }) => seen.push(verdict),
    repeatWith: ({ name }, seed) => `again ${name} ${seed}`,
  })
  expect(report).toMatchObject({ ok: true, stories: [{ verdict: 'PASS', times: 3, broken: null }] })
  expect(report.stories[0]?.again).toBe(`again race ${report.seed}`)
  expect(seen).toEqual([{ name: 'race', n: 1, of: 1 }, 'PASS'])
})

test('a story that breaks another promise than in its file fails, and says so', async () => {
  const { emulator, config } = await opened(RacingShop)
  const { stories } = await playStories(emulator, config, [{ ...race, promise: 'keeps-secrets' }])
  expect(stories).toMatchObject([
    {
      verdict: 'FAIL',
      promise: 'keeps-secrets',
      broken: { promise: 'released-once' },
      note: 'it was found to break another promise, keeps-secrets',
    },
  ])
})

test('a story with an act that is not possible here is not played, and says why', async () => {
  const { emulator, config } = await opened(RacingShop)
  const acts = ['create', 'cancel', 'restart', 'pay']
  const report = await playStories(emulator, config, [{ ...plain, acts }])
  expect(report).toMatchObject({ ok: false, stories: [{ verdict: 'NOT-SEEN', times: 0, broken: null }] })
  expect(report.stories[0]?.note).toMatch(/^`cancel`: set `cancel`.*; `restart`: give the command/)
})

test('an application that creates no order for a story is not judged by it', async () => {
  const { emulator, config } = await opened(CarefulShop)
  const acts = ['create, call lost', 'pay']
  const { stories } = await playStories(emulator, config, [{ ...plain, acts }])
  expect(stories).toMatchObject([{ verdict: 'NOT-SEEN', note: 'your application created no order' }])
})

test('an application that stops fails the story, and no other one is played', async () => {
  const { emulator, shop } = await opened(CarefulShop)
  const { config, die } = await overPort(shop)
  const browser = async () => {
    die()
    return new Response('Goodbye')
  }
  const lethal = { ...plain, name: 'lethal', acts: ['create', 'pay', 'the browser returns'] }
  const { stories } = await playStories(emulator, { ...config, browser }, [lethal, plain])
  expect(stories).toMatchObject([
    { verdict: 'FAIL', broken: { promise: 'keeps-answering', title: 'stopped answering' }, times: 1 },
    { verdict: 'NOT-SEEN', note: expect.stringContaining('not played: your application accepts no') },
  ])
})

test('a configuration that turns out to be wrong ends the run, and says so', async () => {
  const { emulator, shop } = await opened(CarefulShop)
  const { config } = await overPort(shop)
  const browser = async () => {
    shop.show = () => null
    return new Response('Thank you')
  }
  const odd = { ...plain, name: 'odd', acts: ['create', 'pay', 'the browser returns'] }
  const report = await playStories(emulator, { ...config, browser }, [plain, odd, { ...plain, name: 'more' }])
  expect(report).toMatchObject({ ok: false, problems: [{ member: 'probe.status' }] })
  expect(report.stories).toMatchObject([
    { verdict: 'PASS' },
    { verdict: 'NOT-SEEN', note: expect.stringContaining('there is no text at /status') },
    { verdict: 'NOT-SEEN', note: expect.stringContaining('not played: probe.status: ') },
  ])
  const scenarios = await shop.client.scenarios.list()
  expect(scenarios.filter(({ id }) => id.startsWith('conform-'))).toEqual([])
  const text = storyTerminalReport(report, { colours: false, columns: null })
  expect(text).toContain('Problems in the configuration showed up during the run')
})

test('a configuration with problems plays nothing', async () => {
  const { emulator, config } = await opened(CarefulShop)
  const lacking = await playStories(emulator, { ...config, probe: undefined }, [plain])
  expect(lacking).toMatchObject({ ok: false, problems: [{ member: 'probe' }], stories: [] })
  const wrong = await playStories(emulator, { ...config, client: 'nobody' }, [plain])
  expect(wrong).toMatchObject({ ok: false, problems: [{ member: 'client' }], stories: [] })
})

test.each([
  [
    [{ ...plain, acts: ['create', 'pya'] }],
    /The story "plain" is wrong.\n- acts\.1: unknown act `pya`; did you mean/,
  ],
  [[plain, plain], /two stories have the name "plain"/],
  [[], /no story is left/],
  [['nowhere.yaml'], /cannot read the file "nowhere.yaml"/],
  [{ folder: 'nowhere' }, /cannot read the folder "nowhere"/],
] as const)('the stories %j are refused', async (stories, message) => {
  const { emulator, config } = await opened(CarefulShop)
  await expect(playStories(emulator, config, stories)).rejects.toThrow(message)
})

test.each([0, 101, 1.5])('%d times is out of range', async (times) => {
  const { emulator, config } = await opened(CarefulShop)
  await expect(playStories(emulator, config, [plain], { times })).rejects.toThrow(
    `times: expected a whole number from 1 to 100, not ${times}`,
  )
})

test('a folder is played with all that it holds; a wrong file is refused with the place', async () => {
  const folder = aFolder()
  mkdirSync(join(folder, 'deeper'))
  mkdirSync(join(folder, 'no-story.yaml'))
  const text = 'promise: released-once\nacts: [create, pay]\n'
  writeFileSync(join(folder, 'one.yaml'), text)
  writeFileSync(join(folder, 'deeper', 'two.yml'), text)
  writeFileSync(join(folder, 'note.txt'), 'no story')
  const { emulator, config } = await opened(CarefulShop)
  const { stories } = await playStories(emulator, config, { folder }, { times: 1 })
  expect(stories).toMatchObject([
    { name: 'deeper/two', file: join(folder, 'deeper', 'two.yml'), verdict: 'PASS' },
    { name: 'one', file: join(folder, 'one.yaml'), verdict: 'PASS' },
  ])
  const wrong = join(folder, 'wrong.yaml')
  writeFileSync(wrong, 'promise: released-once\nacts: [create, pya]\n')
  await expect(playStories(emulator, config, [wrong])).rejects.toThrow(`${wrong}:2:16: unknown act \`pya\``)
})

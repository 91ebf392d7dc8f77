import { expect, test } from 'vitest'
import { Plan, pairsIn, storiesOf } from '../../../src/conform/explore/plan.ts'
import { type Limits, Search, type Stories } from '../../../src/conform/explore/search.ts'
import { shrunk, smallerThan } from '../../../src/conform/explore/shrink.ts'
import type { ActName } from '../../../src/conform/stories/acts.ts'
import type { Played, PlayOptions } from '../../../src/conform/stories/player.ts'
import type { PromiseId } from '../../../src/conform/stories/promises.ts'
import { contains, type Story, storyText } from '../../../src/conform/stories/story.ts'

const available: readonly ActName[] = [
  ...([
    'create',
    'create, answer lost',
    'pay',
    'decline',
    'refund all',
    'hold webhooks',
    'let webhooks go',
  ] as const),
  ...(['repeat the webhook', 'the browser returns', 'cancel', 'reconcile', 'an hour passes'] as const),
]

const limits: Limits = { timeMs: 60_000, stories: 3_000, stopAtFirst: false, atOnce: 16 }

/** Plays nothing, and says of each story what breaks it. */
class ImaginedStories implements Stories {
  readonly played: Story[] = []
  readonly breaks: (story: Story, batch: readonly Story[], options: PlayOptions) => PromiseId | null
  readonly lateOnes: Played[] = []

  constructor(breaks: ImaginedStories['breaks']) {
    this.breaks = breaks
  }

  async play(batch: readonly Story[], options: PlayOptions = {}): Promise<Played[]> {
    this.played.push(...batch)
    return batch.map((story) => {
      const promise = this.breaks(story, batch, options)
      return {
        story,
        violation: promise === null ? null : { promise, did: 'did it' },
        ...{ requestId: 'r1', seen: story.map(() => 'seen') },
      }
    })
  }

  late(): Played[] {
    return this.lateOnes.splice(0)
  }

  async sequence(): Promise<string> {
    return '<svg/>'
  }
}

function searching(breaks: ImaginedStories['breaks'], more: Partial<Limits> = {}) {
  let state = 5
  const draw = (bound: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % bound
  }
  const plan = new Plan({ available, draw, size: 16, mostActs: 12 })
  const stories = new ImaginedStories(breaks)
  const search = new Search(plan, stories, { ...limits, ...more })
  return { search, stories }
}

test('acts that need each other are left out together', async () => {
  const story: Story = [['create'], ['hold webhooks'], ['let webhooks go'], ['pay']]
  const least = await shrunk(story, async (stories) =>
    stories.map((each) => storyText(each) !== 'create' && each.length % 2 === 0),
  )
  expect(storyText(least)).toBe('create; pay')
})

const guilty: Story = [['create'], ['hold webhooks'], ['pay'], ['let webhooks go', 'reconcile']]

test('a bug of several acts is found, shrunk to just these, and repeated twenty times', async () => {
  const { search } = searching((story) => (contains(story, guilty) ? 'released-once' : null))
  await search.run()
  const { found, unrepeated } = search.progress
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({
    promise: 'released-once',
    title: 'released twice',
    acts: ['create', 'hold webhooks', 'pay', { together: ['let webhooks go', 'reconcile'] }],
    seen: ['seen', 'seen', 'seen', 'seen'],
    did: 'did it',
    repeats: { broke: 20, of: 20 },
    ...{ seldom: false, beside: 1, sequence: '<svg/>' },
  })
  expect(unrepeated).toBe(0)
})

test('two bugs that break the same promise are two finds', async () => {
  const other: Story = [['create'], ['pay'], ['cancel'], ['repeat the webhook']]
  const { search } = searching((story) =>
    contains(story, guilty) || contains(story, other) ? 'released-once' : null,
  )
  await search.run()
  const texts = search.progress.found.map(({ acts }) => JSON.stringify(acts))
  expect(texts).toHaveLength(2)
  expect(texts).toContain('["create","pay","cancel","repeat the webhook"]')
})

test('once a story is found, none that contains it is played', async () => {
  const known: Story = [['create'], ['cancel']]
  const { search, stories } = searching((story) => (contains(story, known) ? 'keeps-answering' : null))
  await search.run()
  const [find] = search.progress.found
  expect(find?.acts).toEqual(['create', 'cancel'])
  const later = stories.played.slice((find?.foundAt ?? 0) + 200)
  expect(later.filter((story) => contains(story, known)).map(storyText)).toEqual([])
})

test('what happens once and never again is no find, and is counted', async () => {
  let times = 0
  const { search } = searching((story) => {
    if (!contains(story, [['create'], ['cancel'], ['pay']])) return null
    times += 1
    return times === 1 ? 'released-in-the-end' : null
  })
  await search.run()
  expect(search.progress).toMatchObject({ found: [], unrepeated: 1 })
})

test('an application that has died once is reported, even if it does not again', async () => {
  let times = 0
  const { search } = searching((story) => {
    if (!contains(story, [['create'], ['cancel']])) return null
    times += 1
    return times === 5 || times === 40 ? 'keeps-answering' : null
  })
  await search.run()
  expect(search.progress.found).toMatchObject([
    { promise: 'keeps-answering', seldom: false, repeats: { broke: 0, of: 3 } },
  ])
  expect(search.progress.found[0]?.did).toMatch(/^did it; started again, it did not do so/)
})

test('what repeats in fewer than twelve of twenty is seldom', async () => {
  let times = 0
  const { search } = searching((story, batch) => {
    if (storyText(story) !== 'create; cancel' || (times > 0 && batch.length > 2)) return null
    times += 1
    return times % 2 === 1 ? 'released-in-the-end' : null
  })
  await search.run()
  expect(search.progress.found).toMatchObject([{ seldom: true, repeats: { broke: 10, of: 20 } }])
})

test('a story is reported although a smaller one breaks the promise only if nobody waits for the application', async () => {
  const { search } = searching((story, _, { hasty = false }) => {
    const isSlow = hasty && contains(story, [['create'], ['cancel']])
    return isSlow || contains(story, [['create'], ['cancel'], ['pay']]) ? 'released-in-the-end' : null
  })
  await search.run()
  expect(search.progress).toMatchObject({
    found: [{ acts: ['create', 'cancel', 'pay'], repeats: { broke: 20 } }],
    unrepeated: 0,
  })
})

test('what needs the application’s poller between two acts is found with its job', async () => {
  const { search } = searching((story, batch) => {
    const isPolled = batch.length >= 10 && contains(story, [['create'], ['cancel'], ['pay']])
    const hasJob = contains(story, [['create'], ['cancel'], ['reconcile'], ['pay']])
    return isPolled || hasJob ? 'released-in-the-end' : null
  })
  await search.run()
  expect(search.progress.found).toMatchObject([
    { acts: ['create', 'cancel', 'reconcile', 'pay'], beside: 1, repeats: { broke: 20 } },
  ])
})

test('what a story does only beside others like it is found beside them', async () => {
  const { search } = searching((story, batch) =>
    batch.length >= 10 && contains(story, [['create'], ['cancel']]) ? 'creates-rightly' : null,
  )
  await search.run()
  expect(search.progress.found).toMatchObject([
    { acts: ['create', 'cancel'], beside: 16, repeats: { broke: 20 } },
  ])
})

test('what is seen only later is followed like anything else', async () => {
  const { search, stories } = searching((story, batch) =>
    batch.length < 3 && contains(story, [['create'], ['cancel']]) ? 'released-once' : null,
  )
  stories.lateOnes.push({
    story: [['create'], ['cancel'], ['pay']],
    violation: { promise: 'released-once', did: 'later' },
    ...{ requestId: 'r1', seen: [] },
  })
  await search.run()
  expect(search.progress.found).toMatchObject([{ acts: ['create', 'cancel'], foundWith: 2 }])
})

test('the search ends with the first find if asked to, and otherwise at its number of stories', async () => {
  const first = searching((story) => (contains(story, [['create'], ['cancel']]) ? 'released-once' : null), {
    stopAtFirst: true,
  })
  await first.search.run()
  expect(first.search.progress.found).toHaveLength(1)
  expect(first.search.progress.stories).toBeLessThan(500)
  const limited = searching(() => null, { stories: 100 })
  await limited.search.run()
  expect(limited.search.progress.stories).toBe(100)
})

test('a pair counts as tried only once a story with it was played', async () => {
  const { search, stories } = searching(() => null, { stories: 100 })
  await search.run()
  const hazards = available.filter((act) => act !== 'create' && act !== 'pay')
  const pairs = hazards.flatMap((one, n) => hazards.slice(n).flatMap((other) => storiesOf(one, other)))
  const tried = new Set(stories.played.flatMap(pairsIn))
  const left = [...new Set(pairs.flatMap(pairsIn))].filter((pair) => !tried.has(pair))
  expect(search.progress.pairsLeft).toBe(left.length)
})

test('what is seen only later has the number of the story that did it', async () => {
  let isLate = false
  const { search, stories } = searching((_, batch) => {
    const late = stories.played[39]
    if (!isLate && late !== undefined && stories.played.length > 80) {
      isLate = true
      const violation = { promise: 'keeps-secrets', did: 'later' } as const
      stories.lateOnes.push({ story: late, violation, requestId: 'r1', seen: [] })
    }
    return isLate && batch.length < 3 ? 'keeps-secrets' : null
  })
  await search.run()
  expect(search.progress.found[0]?.foundAt).toBe(40)
})

test('the search ends when its time is over, whatever is left', async () => {
  const { search, stories } = searching(() => null, { timeMs: 0 })
  await search.run()
  expect(stories.played).toEqual([])
})

test('an application that breaks a promise without any trouble ends the search at once', async () => {
  const { search } = searching(() => 'released-once')
  await search.run()
  expect(search.progress.found.map(({ acts }) => acts)).toEqual([['create']])
})

test('smaller stories have an act less, no common moment, or a simpler act', () => {
  expect(smallerThan([['create, answer lost'], ['pay', 'cancel'], ['a day passes']]).map(storyText)).toEqual([
    'create, answer lost; cancel; a day passes',
    'create, answer lost; pay; a day passes',
    'create, answer lost; pay + cancel',
    'create, answer lost; pay; cancel; a day passes',
    'create, answer lost; cancel; pay; a day passes',
    'create; pay + cancel; a day passes',
    'create, answer lost; pay + cancel; an hour passes',
  ])
})

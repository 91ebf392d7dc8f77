import { describe, expect, test } from 'vitest'
import { type Draw, Plan, pairsIn, storiesOf } from '../../../src/conform/explore/plan.ts'
import { type ActName, actNames } from '../../../src/conform/stories/acts.ts'
import {
  actsIn,
  type Batch,
  contains,
  isPossible,
  skeletonOf,
  storyText,
} from '../../../src/conform/stories/story.ts'

/** Draws that a seed repeats. */
function drawing(seed: number): Draw {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % bound
  }
}

const planOf = (seed = 1, available: readonly ActName[] = actNames) =>
  new Plan({ available, draw: drawing(seed), size: 16, mostActs: 12 })

function take(plan: Plan, most: number): Batch[] {
  const batches: Batch[] = []
  for (let batch = plan.next(); batch !== null && batches.length < most; batch = plan.next())
    batches.push(batch)
  return batches
}

test('the first story is the life of an order without any trouble', () => {
  expect(planOf().next()?.map(storyText)).toEqual(['create; pay'])
})

test('a hazard is put before, after and at the moment of the payment, and where nobody pays', () => {
  expect(storiesOf('reconcile').map(storyText)).toEqual([
    'create; reconcile; pay',
    'create; pay; reconcile',
    'create; pay + reconcile',
    'create; reconcile',
  ])
  expect(storiesOf('refund all').map(storyText)).toEqual(['create; pay; refund all'])
  expect(storiesOf('create, answer lost').map(storyText)).toEqual(['create, answer lost; pay'])
})

test('two hazards are put in every order and at one moment, as far as that is possible', () => {
  const stories = storiesOf('hold webhooks', 'let webhooks go').map(storyText)
  expect(stories).toContain('create; hold webhooks; pay; let webhooks go')
  expect(stories).toContain('create; hold webhooks; pay + let webhooks go')
  expect(stories.filter((text) => !text.includes('hold'))).toEqual([])
  expect(stories).not.toContain('create; let webhooks go; hold webhooks; pay')
})

describe('the stories of a long search', () => {
  const plan = planOf()
  const batches = take(plan, 3_000)

  test('are all possible, none is played twice, and none is longer than asked for', () => {
    const stories = batches.flat()
    expect(stories.filter((story) => !isPossible(story)).map(storyText)).toEqual([])
    expect(new Set(stories.map(storyText)).size).toBe(stories.length)
    expect(Math.max(...stories.map((story) => story.length))).toBeLessThanOrEqual(13)
  })

  test('share the skeleton of their batch, which is not larger than asked for', () => {
    for (const batch of batches) {
      expect(new Set(batch.map((story) => storyText(skeletonOf(story)))).size).toBe(1)
      expect(batch.length).toBeLessThanOrEqual(16)
    }
  })

  test('have had every pair of acts that is possible', () => {
    expect(plan.pairsLeft).toBe(0)
  })

  test('reach long walks', () => {
    expect(Math.max(...batches.flat().map(actsIn))).toBeGreaterThanOrEqual(8)
  })
})

test('the same seed gives the same stories, another seed gives others', () => {
  const [one, same, other] = [planOf(7), planOf(7), planOf(8)].map((plan) =>
    take(plan, 60).flat().map(storyText),
  )
  expect(same).toEqual(one)
  expect(other).not.toEqual(one)
})

test('what contains a known story is left out, and the search ends if everything does', () => {
  const plan = planOf()
  plan.next()
  plan.avoid([['create'], ['pay']])
  for (const story of take(plan, 200).flat()) expect(contains(story, [['create'], ['pay']])).toBe(false)
  plan.avoid([['create']])
  plan.avoid([['create, answer lost']])
  plan.avoid([['create, call lost']])
  plan.avoid([['create, token expired']])
  expect(plan.next()).toBeNull()
})

test('only available acts occur', () => {
  const available: ActName[] = ['create', 'pay', 'reconcile', 'cancel']
  const all = new Set(take(planOf(3, available), 50).flat(2).flat())
  expect([...all].toSorted()).toEqual(available.toSorted())
})

test('a search around a story changes it in one or two places, and ends', () => {
  const near = [['create'], ['pay'], ['cancel']] as const
  const available: ActName[] = ['create', 'pay', 'cancel', 'reconcile']
  const plan = new Plan({ available, near, draw: drawing(1), size: 16, mostActs: 12 })
  const stories = take(plan, 1_000).flat().map(storyText)
  expect(stories[0]).toBe('create; pay; cancel')
  expect(stories).toContain('create; pay; reconcile')
  expect(stories).toContain('create; reconcile; pay; cancel')
  expect(stories).toContain('create; pay + reconcile; cancel; reconcile')
  expect(plan.next()).toBeNull()
  expect(plan.pairsLeft).toBe(0)
})

test('a search around a story does not count pairs that it never tries', () => {
  const near = [['create'], ['pay']] as const
  const plan = new Plan({ available: actNames, near, draw: drawing(1), size: 16, mostActs: 12 })
  const ofAll = planOf().pairsLeft
  expect(plan.pairsLeft).toBe(ofAll)
  const tried = new Set(take(plan, 3).flat().flatMap(pairsIn))
  expect(tried.size).toBeLessThan(ofAll)
  expect(plan.pairsLeft).toBeGreaterThan(0)
})

test('the pairs of a story are in its order', () => {
  expect(pairsIn([['create'], ['pay', 'cancel']])).toEqual([
    'create > pay',
    'create > cancel',
    'pay > cancel',
  ])
})

import { expect, test } from 'vitest'
import type { ActName } from '../../../src/conform/stories/acts.ts'
import {
  actsIn,
  contains,
  endsPaid,
  isPossible,
  mayGiveUp,
  type Story,
  skeletonOf,
  storyText,
  timesOf,
} from '../../../src/conform/stories/story.ts'

/** A story from its text: steps end in `;`, acts of one moment are joined by `+`. */
const story = (text: string): Story =>
  text.split('; ').map((step) => (step === '' ? [] : (step.split(' + ') as ActName[])))

test.each([
  'create',
  'create, answer lost; pay; refund all',
  'create; decline; pay',
  'create; fail; pay + reconcile',
  'create; hold webhooks; pay; let webhooks go + reconcile',
  'create; pay; refund a part; refund a part; refund fails',
  'create; pay; restart + repeat the webhook',
])('%s can be played', (text) => {
  expect(isPossible(story(text))).toBe(true)
})

test.each([
  ['an order that nobody created', 'pay'],
  ['a second creation', 'create; create'],
  ['a second payment', 'create; pay; pay'],
  ['a failure after the payment', 'create; pay; decline'],
  ['a refund of what is not paid', 'create; refund all'],
  ['a refund after all is refunded', 'create; pay; refund all; refund a part'],
  ['a release of webhooks that do not wait', 'create; pay; let webhooks go'],
  ['webhooks that wait already', 'create; hold webhooks; hold webhooks'],
  ['two payers’ acts at one moment', 'create; decline + pay'],
  ['an hour at the same moment as something', 'create; an hour passes + pay'],
  ['the same act twice at one moment', 'create; reconcile + reconcile'],
  ['an empty step', 'create; ; pay'],
])('%s cannot be played', (_, text) => {
  expect(isPossible(story(text))).toBe(false)
})

test('a skeleton has what stories share, at the same times', () => {
  const whole = story('create; the browser returns; pay + cancel; reconcile; repeat the webhook')
  expect(storyText(skeletonOf(whole))).toBe('create; ; pay; reconcile')
})

test('each step takes a second, and an hour takes an hour', () => {
  expect(timesOf(story('create; an hour passes; pay + cancel; a day passes'))).toEqual([
    0, 3_600_000, 3_601_000, 90_001_000,
  ])
})

test.each([
  ['create; pay', 'create; decline; pay; reconcile', true],
  ['create; pay; reconcile', 'create; reconcile; pay', false],
  ['create; pay + reconcile', 'create; pay; reconcile', false],
  ['create; pay + reconcile', 'create; cancel; pay + the browser returns + reconcile', true],
  ['create; pay; reconcile', 'create; pay + reconcile', false],
])('whether all of %j is in %j', (part, whole, expected) => {
  expect(contains(story(whole), story(part))).toBe(expected)
})

test('only an order that was paid and not refunded has to be released', () => {
  expect(endsPaid(story('create; decline; pay'))).toBe(true)
  expect(endsPaid(story('create; cancel'))).toBe(false)
  expect(endsPaid(story('create; pay; refund fails'))).toBe(false)
})

test('an application may give up what is cancelled, or open for an hour, and nothing else', () => {
  expect(mayGiveUp(story('create; cancel; pay'))).toBe(true)
  expect(mayGiveUp(story('create; pay + cancel'))).toBe(true)
  expect(mayGiveUp(story('create; an hour passes; pay'))).toBe(true)
  expect(mayGiveUp(story('create; pay; an hour passes'))).toBe(false)
  expect(mayGiveUp(story('create; decline; pay'))).toBe(false)
  expect(mayGiveUp(story('create; cancel'))).toBe(false)
})

test('the creation is no act of a story', () => {
  expect(actsIn(story('create, answer lost; pay + cancel'))).toBe(2)
})

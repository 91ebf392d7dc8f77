import { expect, test } from 'vitest'
import { settingValues } from '../../../src/domain/choices/settings.ts'
import { nextTryWords, pauseWords } from '../../../src/pages/dashboard/deliveries/next-try.ts'

const failed = { outcome: 'refused', error: null }
const accepted = { outcome: 'accepted', error: null }
const standing = {
  status: 'pending' as const,
  dueAt: 1,
  attempts: [failed],
  plan: null,
  paused: null,
  settings: settingValues(),
}

test.each([
  ['an open create call', { dueAt: null, attempts: [] }, 'It waits for the answer of its create call.'],
  ['a paused endpoint', { paused: 'The endpoint has answered 410' }, 'has answered 410, so nothing is sent'],
  ['an older webhook that is retried', { waitsFor: 'del_1' }, 'It waits for del_1, which is older'],
  [
    'an attempt without an answer yet',
    { attempts: [{ outcome: 'unknown', error: null }] },
    'It has been sent; there is no answer yet.',
  ],
  ['a copy that a fault asks for', { attempts: [accepted] }, 'will be sent again on purpose'],
  [
    'a fault that drops it',
    { status: 'dead', attempts: [{ outcome: 'connection', error: 'not sent, on purpose' }] },
    'A fault has dropped it',
  ],
  [
    'eleven failed attempts',
    { status: 'dead', attempts: Array(11).fill(failed) },
    'All its attempts are used up.',
  ],
  ['one failed attempt by hand', { status: 'dead' }, 'webhooks sent by hand have no retries'],
  ['a limit of its scenario', { status: 'dead', plan: { attempts: 1 } }, 'All its attempts are used up.'],
] as const)('after %s: %s', (_what, changes, words) => {
  expect(nextTryWords({ ...standing, ...changes })).toContain(words)
})

test.each([
  [{}, null],
  [{ webhookPaused: true as const }, 'The endpoint has answered 410'],
  [{ webhookPaused: true as const, pausedAfter: 3 }, 'The endpoint has failed 3 times in a row'],
])('the reason of the pause of %j', (client, words) => {
  expect(pauseWords(client)).toEqual(words === null ? null : expect.stringContaining(words))
})

test('the waits that come are those of the schedule, at most six of them', () => {
  expect(nextTryWords(standing)).toContain('Attempt 1 of 11 failed')
  expect(nextTryWords(standing)).toContain('Next delays: 1 s, 2 s, 4 s, 8 s, 16 s, 32 s … up to 8 min 32 s.')
})

test('a limit of its scenario ends the waits early', () => {
  expect(nextTryWords({ ...standing, plan: { attempts: 3 } })).toMatch(/of 3 failed.*delays: 1 s, 2 s\.$/)
})

test('a schedule names its own delays and the limit of a Retry-After', () => {
  const settings = settingValues({ 'webhook.retry.schedule': ['1m', '2h', '30m'] })
  expect(nextTryWords({ ...standing, settings })).toBe(
    'Attempt 1 of 4 failed, so it will be retried. The setting webhook.retry.schedule lists the delays. ' +
      'A Retry-After of the receiver is followed up to the longest of them, 2 h. Next delays: 1 min, 2 h, 30 min.',
  )
})

test('a scenario with retries of its own replaces the schedule of the client', () => {
  const settings = settingValues({ 'webhook.retry.schedule': ['1m', '2h'] })
  const plan = { settings: { 'webhook.retry.max': 4, 'webhook.retry.after': 'ignore' } }
  const words = nextTryWords({ ...standing, settings, plan })
  expect(words).toContain('of 5 failed')
  expect(words).toContain('up to 10 min. A Retry-After of the receiver is ignored. Next delays: 1 s, 2 s')
})

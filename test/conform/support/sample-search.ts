import type { ExploreReport, FoundStory } from '../../../src/conform/explore/report.ts'

/** A story that breaks a promise each time. */
export const foundStory: FoundStory = {
  promise: 'released-once',
  title: 'released twice',
  should: 'Release at most once for each paid charge.',
  why: 'Every release beyond the first is goods that nobody paid for.',
  acts: ['create', 'hold webhooks', 'pay', { together: ['let webhooks go', 'reconcile'] }],
  seen: [
    'order CREATED; webhook CREATED accepted; released 0, "new"',
    '',
    'order COMPLETED; webhook COMPLETED held',
    'webhook COMPLETED accepted; released 2, "paid"',
  ],
  did: 'released 2, paid 1',
  beside: 1,
  foundAt: 5_071,
  foundWith: 11,
  repeats: { broke: 20, of: 20 },
  seldom: false,
  requestId: 'r1',
  sequence: '<svg xmlns="http://www.w3.org/2000/svg"><text>webhook COMPLETED</text></svg>',
  file: 'found/released-twice.yaml',
  again: 'payment-order-emulator conform --story found/released-twice.yaml -- npm start',
}

/** A story that breaks a promise seldom. */
export const seldomStory: FoundStory = {
  ...foundStory,
  promise: 'released-in-the-end',
  title: 'never released',
  should: 'Release in the end what is COMPLETED, by a webhook, its retries, polling or `reconcile`.',
  why: 'The customer has paid and gets nothing.',
  acts: ['create, answer lost', 'pay'],
  seen: [],
  did: 'released 0, paid 1; it does not know the order',
  foundAt: 12,
  foundWith: 1,
  repeats: { broke: 3, of: 20 },
  seldom: true,
  sequence: null,
  file: null,
  again: null,
}

/** A report of these finds. */
export function sampleSearch(
  found: ExploreReport['found'] = [foundStory, seldomStory],
  parts: Partial<ExploreReport> = {},
): ExploreReport {
  return {
    ok: found.every(({ seldom }) => seldom),
    seed: '4f2ac1d0',
    emulator: 'http://127.0.0.1:4600',
    clientId: 'demo-client',
    startedAt: Date.UTC(2026, 8, 21, 14, 13, 20),
    ms: 190_000,
    stories: 5_104,
    pairsLeft: 61,
    unrepeated: 0,
    problems: [],
    leftOut: [
      { acts: ['create, call lost', 'cancel'], why: 'as you asked for' },
      {
        acts: ['reconcile'],
        why: 'set `reconcile`, if a job of your application looks open orders up',
      },
    ],
    stopped: null,
    found,
    ...parts,
  }
}

/** A report of a search that the application ended. */
export const stoppedSearch = (): ExploreReport =>
  sampleSearch([], {
    ok: false,
    stopped: {
      why: 'your application accepts no connections any more',
      lastStories: Array.from({ length: 10 }, (_, n) => ['create', 'pay', `act ${n + 1}`]),
    },
  })

const hostile =
  'was\r\n\u001b]0;owned\u0007 \u0000\ud800\u2028\u202e<script>alert(1)</script>]]><img src=x>\'"&'

/** A report in which all that comes from outside is hostile. */
export const hostileSearch = (): ExploreReport =>
  sampleSearch(
    [
      {
        ...foundStory,
        seen: [hostile, hostile],
        did: hostile,
        requestId: hostile,
        sequence: `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script>${hostile}</svg>`,
        file: `found/${hostile}.yaml`,
        again: `payment-order-emulator conform --story ${hostile}`,
      },
    ],
    {
      seed: hostile,
      clientId: hostile,
      emulator: hostile,
      stopped: { why: hostile, lastStories: [['create', hostile]] },
    },
  )

import { answerFault } from './answer-fault.ts'

// Only the behaviours of a sweep use these faults: no scenario file and no control call can write them.

/** The fault that answers late, on the wall clock. */
export const slow = answerFault({
  written: {},
  read: () => ({}),
  words: () => [],
  notes: ({ wallMs }) => (wallMs === undefined ? [] : ['answered slowly']),
  delays: true,
})

/** A fault that delays the answer until the first webhook of the order was answered. */
export const afterWebhook = answerFault({
  written: {},
  read: () => ({}),
  words: () => [],
  notes: ({ afterWebhook }) => (afterWebhook ? ['answered after the first webhook'] : []),
  delays: true,
})

const showing = {
  'new-fields': 'with unknown fields',
  'unknown-status': 'shows an unknown status',
} as const

/** The fault that answers with wrong or additional data. */
export const shows = answerFault({
  written: {},
  read: () => ({}),
  words: () => [],
  notes: ({ shows }) => (shows === undefined ? [] : [showing[shows]]),
})

import { answerFault } from './answer-fault.ts'

// The faults that only the behaviours of a sweep use: no file and no call writes them.

/** The fault that answers late, on the wall clock. */
export const slow = answerFault({
  written: {},
  read: () => ({}),
  words: () => [],
  notes: ({ wallMs }) => (wallMs === undefined ? [] : ['answered slowly']),
  delays: true,
})

/** Answers after the first webhook of the order was answered. */
export const afterWebhook = answerFault({
  written: {},
  read: () => ({}),
  words: () => [],
  notes: ({ afterWebhook }) => (afterWebhook ? ['answered after the first webhook'] : []),
  delays: true,
})

const showing = {
  'new-fields': 'with unknown fields',
  behind: 'still shows CREATED',
  'unknown-status': 'shows an unknown status',
} as const

/** The fault that answers with wrong or additional data. */
export const shows = answerFault({
  written: {},
  read: () => ({}),
  words: () => [],
  notes: ({ shows }) => (shows === undefined ? [] : [showing[shows]]),
})

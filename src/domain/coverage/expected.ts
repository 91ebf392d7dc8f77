import { documentedErrorCodes } from '../error-catalog.ts'
import type { Operation } from '../journal-entry.ts'
import { statuses } from '../statuses.ts'
import type { Section } from './event.ts'
import { hazards } from './hazards.ts'

const creates = [
  ...['200', '400 input.*', '401 requestId.taken', '401 signature.*', '401 token.*'],
  ...['429', '500', '503', 'none'],
]
const lookups = ['200', '401 token.*', '429', '503', 'none']
const others = ['200', '401 token.*']

/** The answers of each operation that a suite can be expected to meet; `*` stands for any cause of its group. */
const answersOf: Readonly<Record<Operation, readonly string[]>> = {
  'create-checkout-order': creates,
  'create-subscription-order': creates,
  'crypto-orders': lookups,
  orders: lookups,
  'fiat-refunds': lookups,
  'simulate-webhook': others,
  'webhook-url': others,
  'access-token': ['200', '401 credentials.wrong'],
}

/** What each section can have in it, as far as the service documents it. A suite may meet more. */
export const expected: Readonly<Record<Section, readonly string[]>> = {
  hazards: hazards.map(({ name }) => name),
  answers: Object.entries(answersOf).flatMap(([operation, answers]) =>
    answers.map((answer) => `${operation} ${answer}`),
  ),
  statuses: statuses
    .filter(({ of, from }) => of !== 'settlement' && from === 'service')
    .map(({ of, name }) => `${of} ${name}`),
  transitions: [
    ...['order CREATED -> COMPLETED', 'order CREATED -> FAILED'],
    ...['payment CREATED -> COMPLETED', 'payment CREATED -> FAILED'],
    'refund none -> REFUND_INITIATED',
  ],
  errorCodes: documentedErrorCodes,
  attempts: ['accepted', 'refused', 'timeout', 'connection', 'dead'],
}

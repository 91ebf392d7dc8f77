import { expect, test } from 'vitest'
import type { Seen } from '../../../src/conform/application/application.ts'
import type { ActName } from '../../../src/conform/stories/acts.ts'
import { type Evidence, isOwed, promises, violationIn } from '../../../src/conform/stories/promises.ts'
import type { JournalEntry } from '../../../src/index.ts'

const seen = (word: string, effects: number): Seen => ({
  state:
    word === 'paid' ? 'COMPLETED' : word === 'waiting' ? 'CREATED' : word === 'declined' ? 'FAILED' : 'other',
  ...{ word, effects },
})

const call = (more: Partial<JournalEntry>): JournalEntry => ({
  ...{
    id: 'req_1',
    wallAt: 0,
    at: 0,
    clientId: 'demo-client',
    operation: 'orders',
    method: 'GET',
    path: '/v1/client/orders',
  },
  ...{
    headers: {},
    body: '',
    status: 200,
    response: '',
    ms: 1,
    notes: [],
    diagnosis: null,
    requestId: 'r1',
    orderId: null,
  },
  ...more,
})

const told = call({ response: '{"data":[{"requestId":"r1","orderStatus":"COMPLETED"}]}' })

function after(acts: readonly ActName[], more: Partial<Evidence> = {}): Evidence {
  return {
    story: [['create'], ...acts.map((act) => [act])],
    ...{ seen: seen('paid', 1), before: null, calls: [told], requestId: 'r1', unique: 'u1', amount: '10.00' },
    ...{ refused: [], leaks: [], unanswered: [], answers: true, knowsAllCalls: true },
    ...more,
  }
}

const create = (fiatAmount: unknown, more: Partial<JournalEntry> = {}) =>
  call({
    operation: 'create-checkout-order',
    body: JSON.stringify({ fiatAmount, email: 'buyer-u1@example.com' }),
    ...more,
  })

test.each<[string, Evidence]>([
  ['released once for what was paid', after(['pay'])],
  ['still open, and nobody paid', after(['reconcile'], { seen: seen('waiting', 0), calls: [] })],
  ['never released, but refunded', after(['pay', 'refund a part'], { seen: seen('waiting', 0) })],
  [
    'given up, then paid and shown as paid late',
    after(['cancel', 'pay'], { before: seen('cancelled', 0), seen: seen('paid late', 0) }),
  ],
  ['released after calls that the request log has lost', after(['pay'], { calls: [], knowsAllCalls: false })],
  [
    'told by an answer of many orders that the request log has cut before this one',
    after(['pay'], {
      calls: [
        call({
          requestId: null,
          response: '{"data":[{"requestId":"r0","orderStatus":"CREATED"},… (20480 characters in all)',
        }),
      ],
    }),
  ],
  ['the amount in another spelling', after(['pay'], { calls: [told, create(10)] })],
  ['told by a lookup of many orders', after(['pay'], { calls: [call({ ...told, requestId: null })] })],
  [
    'an order of another customer with another amount',
    after(['pay'], { calls: [told, create('99.00', { requestId: 'r2', body: '{"fiatAmount":"99.00"}' })] }),
  ],
])('%s keeps every promise', (_, evidence) => {
  expect(violationIn(evidence)).toBeNull()
})

test.each<[string, Evidence, string]>([
  ['released-once', after(['pay'], { seen: seen('paid', 2) }), 'released 2, paid 1'],
  ['released-once', after(['pay', 'refund all'], { seen: seen('refunded', 2) }), 'released 2, paid 1'],
  ['nothing-for-failures', after(['decline'], { calls: [] }), 'released 1, paid 0'],
  [
    'nothing-for-failures',
    after(['forge a status', 'pay'], { before: seen('paid', 1) }),
    'released 1 before it was paid',
  ],
  [
    'released-if-told',
    after(['pay'], { calls: [call({ response: '{"data":[{"requestId":"r1","orderStatus":"CREATED"}]}' })] }),
    'released 1, and no lookup had said COMPLETED',
  ],
  [
    'released-if-told',
    after(['pay'], {
      calls: [call({ response: '{"data":[{"requestId":"r2","orderStatus":"COMPLETED"}]}' })],
    }),
    'released 1, and no lookup had said COMPLETED',
  ],
  [
    'released-in-the-end',
    after(['pay'], { seen: seen('waiting', 0) }),
    'released 0, paid 1; it says "waiting"',
  ],
  [
    'released-in-the-end',
    after(['decline', 'pay'], { before: seen('declined', 0), seen: seen('declined', 0) }),
    'released 0, paid 1; it says "declined"',
  ],
  [
    'released-in-the-end',
    after(['cancel', 'pay'], { before: seen('cancelled', 0), seen: seen('cancelled', 0) }),
    'released 0, paid 1; it says "cancelled"',
  ],
  [
    'released-in-the-end',
    after(['cancel', 'pay'], { seen: { state: 'unknown', word: null, effects: 0 } }),
    'released 0, paid 1; it does not know the order',
  ],
  [
    'webhooks-answered',
    after(['pay'], { refused: ['to the webhook of COMPLETED it answered 409, however often it was sent'] }),
    'to the webhook of COMPLETED it answered 409, however often it was sent',
  ],
  [
    'keeps-answering',
    after(['cancel'], { seen: seen('waiting', 0), unanswered: ['cancel'] }),
    'it gave no answer to: cancel',
  ],
  ['keeps-answering', after(['pay'], { answers: false }), 'it accepts no connections any more'],
  [
    'creates-rightly',
    after(['pay'], { calls: [told, create('9.99')] }),
    'its create call had the amount "9.99", and 10.00 was asked for',
  ],
  [
    'keeps-secrets',
    after(['pay'], { leaks: [{ secret: 'the API secret', where: 'the body of POST /x' }] }),
    'the API secret is in the body of POST /x',
  ],
])('%s is broken, in words', (promise, evidence, did) => {
  expect(violationIn(evidence)).toEqual({ promise, did })
})

test('a create call that was refused for its signature is wrong, also one for a second order of the customer', () => {
  const diagnosis = { cause: 'signature.secret', message: 'The signature was made with another secret.' }
  const refused = create('10.00', {
    requestId: 'r9',
    status: 401,
    diagnosis: diagnosis as JournalEntry['diagnosis'],
  })
  expect(violationIn(after(['pay'], { calls: [told, refused] }))).toEqual({
    promise: 'creates-rightly',
    did: 'its create call was refused: The signature was made with another secret.',
  })
})

test('an order is owed only while it is paid, not refunded and not released', () => {
  expect(isOwed(after(['pay'], { seen: seen('waiting', 0) }))).toBe(true)
  expect(isOwed(after(['pay'], { seen: null }))).toBe(true)
  expect(isOwed(after(['pay']))).toBe(false)
  expect(isOwed(after(['pay', 'refund all'], { seen: seen('waiting', 0) }))).toBe(false)
  expect(isOwed(after([], { seen: seen('waiting', 0) }))).toBe(false)
})

test('each promise says in a sentence what is right, and why it matters', () => {
  for (const { should, why, title } of promises) {
    expect(should).toMatch(/^[A-Z].*\.$/)
    expect(why).toMatch(/^[A-Z].*\.$/)
    expect(title).toMatch(/^[a-z][^.]*$/)
  }
})

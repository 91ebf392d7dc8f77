import type { SequenceSources } from '../../../src/domain/sequence/order-sequence.ts'
import type { Message, Sequence } from '../../../src/domain/sequence/sequence.ts'

type Delivery = SequenceSources['deliveries'][number]
type Attempt = Delivery['attempts'][number]
type Request = SequenceSources['requests'][number]

/** An order that is created at 0 and has this history afterwards. */
export const anOrder = (history: SequenceSources['order']['history'] = []): SequenceSources['order'] => ({
  ...{ requestId: 'r1', createdAt: 0, errorReason: null },
  history: [{ at: 0, what: 'created', to: 'CREATED' }, ...history],
})

export const aCreateCall = (changes: Partial<Request> = {}): Request => ({
  ...{ id: 'req_1', at: 1, wallAt: 1_001, ms: 1, operation: 'create-checkout-order', method: 'POST' },
  ...{ path: '/v1/client/checkout/create-order', status: 200, notes: [], diagnosis: null },
  ...changes,
})

export const aLookup = (id: string, at: number, changes: Partial<Request> = {}): Request =>
  aCreateCall({ id, at, wallAt: 1_000 + at, operation: 'orders', method: 'GET', ...changes })

export const anAttempt = (n: number, at: number, changes: Partial<Attempt> = {}): Attempt => ({
  ...{ n, at, wallAt: 1_000 + at, outcome: 'accepted', status: 204, ms: 2, error: null },
  ...changes,
})

export const aDelivery = (
  orderStatus: string,
  attempts: readonly Attempt[],
  changes: Partial<Delivery> = {},
): Delivery => ({
  ...{ id: `del_${orderStatus}`, webhookId: `msg_${orderStatus}`, orderStatus, status: 'delivered' },
  ...{ createdAt: attempts[0]?.at ?? 0, plan: null, attempts },
  ...changes,
})

export const aMessage = (changes: Partial<Message> = {}): Message => ({
  ...{ id: 'call-1', kind: 'call', from: 'application', to: 'service', at: 0, text: 'orders', more: '' },
  ...{ tone: 'other', lost: false, count: 1, about: null },
  ...changes,
})

/** A sequence whose every text is this one. */
export const sequenceWith = (text: string): Sequence => ({
  title: text,
  messages: [
    aMessage({ text, more: text }),
    aMessage({ id: 'a', kind: 'answer', from: 'service', to: 'application', text, more: text, tone: 'bad' }),
    aMessage({ id: 'n', kind: 'note', from: 'service', to: 'service', text, more: text, at: 2_000 }),
    aMessage({ id: 'w', from: 'service', to: 'webhook', text, lost: true, tone: 'bad', at: 2_000 }),
  ],
  left: 0,
})

/** Texts that end, comment out or inject something where they are not escaped. */
export const hostileTexts = [
  'a;b',
  'a#b',
  '#59;',
  '#quot;',
  '&lt;b&gt;&#59;',
  'a:b::c',
  '"\'`',
  '</svg><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  ']]>-->',
  'one\ntwo\r\nthree\u2028four',
  'x\nparticipant Z as Mallory',
  '%%{init: {"theme":"dark"}}%%',
  '%% comment',
  'end',
  'style x:#;fill',
  'classDef a:#;b',
  'wrap: text',
  'ﬂ°°59¶ß',
  '$$x^2$$',
  '{{constructor}}',
  '---\ntitle: x\n---',
  'A->>S: x',
  '   ',
  '',
  '\ud800',
  '\u0000\u0007\u202e',
  '😀😀',
  'x'.repeat(5_000),
  '[link](javascript:alert(1))',
  'loop x\nalt y\nend',
] as const

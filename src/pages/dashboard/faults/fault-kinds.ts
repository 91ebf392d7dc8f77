import type { Field } from '../../framework/form.tsx'

/** A kind of fault to choose from. */
export interface FaultKind {
  /** The name of the kind in the address of the page. */
  readonly name: string
  readonly on: 'call' | 'delivery'
  readonly title: string
  /** The effect of the kind of fault, in one line. */
  readonly does: string
  /** The constant part of the fault, which has no input field. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly fields: readonly Field[]
  /** The stage of a call at which the fault applies; `before` if left out. */
  readonly when?: 'stored'
}

const effect = (type: Field['type'], name: string, label: string, more: Partial<Field> = {}): Field => ({
  ...{ type, name: `effect.${name}`, label },
  ...more,
})

/** The kinds of fault, in the words of `POST /_emulator/faults`. Other combinations are written as JSON. */
export const faultKinds: readonly FaultKind[] = [
  {
    ...{ name: 'status', on: 'call', title: 'Error status' },
    does: 'Answers with a status of your choice.',
    fields: [
      effect('number', 'status', 'Status', { value: '503', required: true }),
      effect('number', 'retryAfter', 'Retry-After, seconds', { placeholder: 'none' }),
      effect('text', 'body', 'Body', { placeholder: 'as the service words it' }),
      effect('text', 'delay', 'Delay', { placeholder: '0s' }),
    ],
  },
  {
    ...{ name: 'late', on: 'call', title: 'Late answer' },
    does: 'Answers correctly, but late. Moving the clock forward releases the answer.',
    fields: [effect('text', 'delay', 'Delay', { value: '10s', required: true })],
  },
  {
    ...{ name: 'silent', on: 'call', title: 'No answer' },
    does: 'Does not answer, and closes the connection after a while.',
    fields: [
      effect('text', 'hang', 'For how long', {
        value: '60s',
        required: true,
        hint: 'A duration, or forever.',
      }),
    ],
  },
  {
    ...{ name: 'reset', on: 'call', title: 'Connection reset', when: 'stored' },
    does: 'Resets the connection without an answer.',
    body: { effect: { reset: true } },
    fields: [],
  },
  {
    ...{ name: 'cut', on: 'call', title: 'Answer cut short', when: 'stored' },
    does: 'Announces the full length of the answer, and breaks off after half of it.',
    body: { effect: { cut: true } },
    fields: [],
  },
  {
    ...{ name: 'lost', on: 'delivery', title: 'Lost' },
    does: 'Never sends the webhook, now or later.',
    body: { effect: { drop: true } },
    fields: [],
  },
  {
    ...{ name: 'delayed', on: 'delivery', title: 'Late' },
    does: 'Sends the webhook later; other webhooks do not wait for it.',
    fields: [effect('text', 'delay', 'Delay', { value: '1h', required: true })],
  },
  {
    ...{ name: 'doubled', on: 'delivery', title: 'Doubled' },
    does: 'Sends the webhook again after it was accepted, with the same webhook-id.',
    fields: [
      effect('number', 'duplicate', 'Additional times', { value: '1', required: true }),
      effect('text', 'apart', 'Time between them', { placeholder: '0s' }),
    ],
  },
  {
    ...{ name: 'failed', on: 'delivery', title: 'Counted as failed' },
    does: 'Sends the webhook, and treats any answer as this status; retries follow.',
    fields: [effect('number', 'countAs', 'Status that counts', { value: '500', required: true })],
  },
  {
    ...{ name: 'forged', on: 'delivery', title: 'Wrong signature' },
    does: 'Signs the webhook wrongly, with an old timestamp, or not at all.',
    fields: [
      effect('json', 'sign', 'Signature', {
        options: [
          { value: '"wrong"', label: 'made with another key' },
          { value: '"old"', label: 'ten minutes old' },
          { value: 'false', label: 'missing' },
        ],
      }),
    ],
  },
  {
    ...{ name: 'signatures', on: 'delivery', title: 'Several signatures' },
    does: 'Sends several signatures, as a service does while it rotates a secret. Receivers must accept the webhook if one is valid.',
    fields: [
      effect('json', 'signatures', 'Signatures', {
        value: '["foreign","current"]',
        required: true,
        hint: 'A list of current, previous and foreign (unknown to your application).',
      }),
      effect('json', 'signatureVersions', 'Their versions', {
        placeholder: '["v9","v1"]',
        hint: 'v1 each if left out. A receiver ignores versions that it does not know.',
      }),
    ],
  },
  {
    ...{ name: 'tampered', on: 'delivery', title: 'Tampered with' },
    does: 'Changes one byte of the body after signing.',
    body: { effect: { tamper: true } },
    fields: [],
  },
  {
    ...{ name: 'broken', on: 'delivery', title: 'Connection cut' },
    does: 'Closes the connection after the whole body has been sent.',
    body: { effect: { cut: 'end' } },
    fields: [],
  },
]

/** A fault that is planned with one click. */
export interface Preset {
  readonly name: string
  readonly label: string
  readonly does: string
  readonly body: Readonly<Record<string, unknown>>
}

const lookups = ['orders', 'crypto-orders', 'fiat-refunds']

/** The most common faults. */
export const presets: readonly Preset[] = [
  {
    ...{ name: '503', label: '503 three times', does: 'The next three lookups fail.' },
    body: { on: lookups, effect: { status: 503 }, times: 3 },
  },
  {
    ...{
      name: 'timeout',
      label: 'Time out once',
      does: 'The next create call creates the order, but gets no answer.',
    },
    body: { on: 'create-order', when: 'stored', effect: { hang: '60s' }, times: 1 },
  },
  {
    ...{
      name: '429',
      label: '429 with Retry-After',
      does: 'The next lookup returns 429 with Retry-After: 2.',
    },
    body: { on: lookups, effect: { status: 429, retryAfter: 2 }, times: 1 },
  },
  {
    ...{
      name: 'reset',
      label: 'Reset after storing',
      does: 'The next order is created, but the connection breaks.',
    },
    body: { on: 'create-order', when: 'stored', effect: { reset: true }, times: 1 },
  },
  {
    ...{ name: 'lost', label: 'Webhook lost', does: 'The next webhook is never sent.' },
    body: { on: 'delivery', effect: { drop: true }, times: 1 },
  },
  {
    ...{ name: 'late', label: 'Webhook late by 1 h', does: 'The next webhook is sent an hour late.' },
    body: { on: 'delivery', effect: { delay: '1h' }, times: 1 },
  },
  {
    ...{ name: 'twice', label: 'Webhook twice', does: 'The next webhook is sent twice.' },
    body: { on: 'delivery', effect: { duplicate: 1 }, times: 1 },
  },
]

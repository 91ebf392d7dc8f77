import { orderStatuses, paymentStatuses, refundStatuses } from '../../../domain/order/statuses.ts'
import { createAnswers, offerFields } from '../../answers/create-answers.ts'
import { counted, furtherFields, type Oddity, type SeenObject } from '../../answers/further-fields.ts'
import { recordsOf, textIn } from '../../answers/records.ts'
import type { Unexplained } from '../../elimination/finding.ts'
import type { Evidence, Lookup } from '../../evidence/evidence.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import type { Context, Rule } from '../rule.ts'

/** What no setting can express in the answers about orders: further fields, other statuses, headers. */
export const answerOddities: Rule = {
  settings: [],
  learn: () => [],
  unexplained: (evidence, context) => [
    ...createFields(evidence, context),
    ...lookupFields(evidence),
    ...statuses(evidence, context),
    ...headers(evidence),
  ],
}

const createdFields = ['requestId', 'token', 'status', 'offerInfoData']

function createFields(evidence: Evidence, { found }: Context): Unexplained[] {
  const answers = createAnswers(evidence)
  const named = [found('responses.urlField'), found('responses.feeField')].filter(
    (path) => typeof path === 'string',
  )
  // A field that a setting names; the objects around it have nothing else that is worth a line.
  const inTop = named.map((path) => path.split('.')[0] ?? path)
  const inOffer = named.flatMap((path) =>
    path.startsWith('offerInfoData.') ? (path.split('.')[1] ?? []) : [],
  )
  const place = 'answers to create calls'
  const whole = answers.map(({ call, answer }): SeenObject => ({ source: call.source, fields: answer }))
  const offers = answers.flatMap(({ call, offer }): SeenObject[] =>
    offer === null ? [] : [{ source: call.source, fields: offer }],
  )
  return [
    ...furtherFields(whole, { known: [...createdFields, ...inTop], place }),
    ...furtherFields(offers, { known: [...offerFields, ...inOffer], place, prefix: 'offerInfoData.' }),
  ]
}

const common = ['orderId', 'orderStatus', 'updatedTs', 'orderType', 'requestId', 'clientId', 'errorReason']

/** The documented fields of records, by lookup. */
const recordFields: Readonly<Record<Lookup['operation'], readonly string[]>> = {
  orders: [...common, 'userAddress', 'partner', 'exchangeCurId', 'exchangeAmount', 'paymentMethod'],
  'crypto-orders': [
    ...[...common, 'paymentStatus', 'receivedAmount', 'payersEmail', 'settlementStatus', 'txnHash'],
    ...['cryptoCurId', 'cryptoAmount', 'metadata'],
  ],
  'fiat-refunds': ['requestId', 'refundId', 'fiatAmount', 'status'],
}

const places: Readonly<Record<Lookup['operation'], string>> = {
  orders: 'fiat lookups',
  'crypto-orders': 'crypto lookups',
  'fiat-refunds': 'refund lookups',
}

const operations = ['orders', 'crypto-orders', 'fiat-refunds'] as const

function lookupFields({ orders }: Evidence): Unexplained[] {
  return operations.flatMap((operation) => {
    const answers = orders.flatMap(({ lookups }) =>
      lookups.filter((lookup) => lookup.operation === operation),
    )
    const whole = answers.map(
      ({ call }): SeenObject => ({ source: call.source, fields: fieldsOf(call.output) }),
    )
    const records = orders
      .flatMap((order) => recordsOf(order, operation))
      .map(({ lookup, fields }): SeenObject => ({ source: lookup.call.source, fields }))
    const top = operation === 'fiat-refunds' ? ['data', 'errorReason'] : ['data']
    return [
      ...furtherFields(whole, { known: top, place: places[operation] }),
      ...furtherFields(records, {
        known: recordFields[operation],
        place: `records of ${places[operation]}`,
        prefix: 'data.',
      }),
    ]
  })
}

interface StatusField {
  readonly operation: Lookup['operation']
  readonly name: string
  readonly known: readonly string[]
  readonly setting: 'words.orders' | 'words.payments' | 'words.refunds' | null
  /** A step of a scenario that gives an order the status. */
  readonly step: (status: string) => string
}

const statusFields: readonly StatusField[] = [
  ...(['orders', 'crypto-orders'] as const).map((operation) => ({
    ...{ operation, name: 'orderStatus', known: orderStatuses, setting: 'words.orders' as const },
    step: (status: string) => `order: ${status}`,
  })),
  {
    ...{
      operation: 'crypto-orders',
      name: 'paymentStatus',
      known: paymentStatuses,
      setting: 'words.payments',
    },
    step: (status) => `payment: ${status}`,
  },
  {
    ...{ operation: 'crypto-orders', name: 'settlementStatus', known: ['NOT_REQUIRED'], setting: null },
    step: (status) => `settlement: ${status}`,
  },
  {
    ...{ operation: 'fiat-refunds', name: 'status', known: refundStatuses, setting: 'words.refunds' },
    step: (status) => `refundStatus: ${status}`,
  },
]

function statuses({ orders }: Evidence, { found }: Context): Unexplained[] {
  return statusFields.flatMap(({ operation, name, known, setting, step }) => {
    const words = setting === null ? {} : fieldsOf(found(setting))
    const expected = [...known, ...Object.values(words), found('refunds.failedStatus')]
    const records = orders.flatMap((order) => recordsOf(order, operation))
    const odd = records.flatMap(({ lookup, fields }): Oddity[] => {
      const status = textIn(fields, name)
      if (status === undefined || expected.includes(status)) return []
      return [
        {
          source: lookup.call.source,
          what: `\`${name}\` ${status} in ${places[operation]}`,
          example: JSON.stringify({ [name]: status }),
          remedy: `a step of a scenario: \`- { at: 5s, ${step(JSON.stringify(status))} }\``,
        },
      ]
    })
    return counted(odd, records.length)
  })
}

/** Headers of HTTP, of the emulator, and of what lies between a service and its caller. */
const usualHeaders: ReadonlySet<string> = new Set([
  ...[
    'date',
    'content-type',
    'content-length',
    'content-encoding',
    'content-language',
    'connection',
    'keep-alive',
  ],
  ...['transfer-encoding', 'trailer', 'upgrade', 'server', 'via', 'vary', 'age', 'etag', 'expires', 'pragma'],
  ...[
    'cache-control',
    'last-modified',
    'accept-ranges',
    'allow',
    'location',
    'retry-after',
    'www-authenticate',
  ],
  ...['set-cookie', 'alt-svc', 'strict-transport-security', 'content-security-policy', 'referrer-policy'],
  ...[
    'permissions-policy',
    'report-to',
    'reporting-endpoints',
    'nel',
    'server-timing',
    'timing-allow-origin',
  ],
  ...['expect-ct', 'feature-policy', 'origin-agent-cluster', 'emulator-request-id', 'emulator-diagnosis'],
  ...['x-powered-by', 'x-frame-options', 'x-content-type-options', 'x-xss-protection', 'x-download-options'],
  ...[
    'x-permitted-cross-domain-policies',
    'x-dns-prefetch-control',
    'x-cache',
    'x-cache-hits',
    'x-served-by',
  ],
  ...['x-runtime', 'x-response-time', 'x-timer', 'cf-ray', 'cf-cache-status', 'proxy-connection'],
])

/** Ids of a request or a trace, limits of calls (N81), headers for browsers and of clouds. */
const usualNames =
  /(request|req|correlation|trace|span|transaction)-?(id|parent|state|context)?$|rate-?limit|^access-control-|^cross-origin-|^x-(amz|amzn|envoy|b3|akamai|azure|goog|cloud|kong|vercel|fastly)-|^cf-|^traceparent$|^tracestate$/

function headers({ calls }: Evidence): Unexplained[] {
  const answered = calls.filter(({ status }) => status !== null)
  const odd = answered.flatMap(({ source, responseHeaders }) =>
    Object.entries(responseHeaders)
      .filter(([name]) => !usualHeaders.has(name) && !usualNames.test(name))
      .map(([name, example]): Oddity => ({ source, what: `header \`${name}\` of answers`, example })),
  )
  return counted(odd, answered.length)
}

import { expect, test } from 'vitest'
import { readSettingsFile } from '../../../src/domain/choices/read-settings.ts'
import { readScenarioFile } from '../../../src/domain/scenario/compile-scenario.ts'
import { formatProblem } from '../../../src/domain/text/yaml-source.ts'

const complaints = (text: string): string[] => {
  const reading = readSettingsFile(text, 'settings.yaml')
  return 'problems' in reading ? reading.problems.map(formatProblem) : []
}

test.each([
  [
    'two equal words',
    'words:\n  webhook: { COMPLETED: done, FAILED: done }',
    /yaml:2:\d+: .*`done` of FAILED; a reader/,
  ],
  [
    'the name of another status',
    'words:\n  webhook: { COMPLETED: FAILED }',
    /yaml:2:\d+: .*which is another status/,
  ],
  ['a slip in a status', 'words:\n  webhook: { COMPLETD: paid }', /did you mean `COMPLETED`/],
  [
    'a printed status of lookups',
    'words:\n  orders:\n    COMPLETED: paid',
    /yaml:3:\d+: .*the API specification prints it \(section "States and transitions": "Values that appear: order status/,
  ],
  [
    'a printed status of payments',
    'words.payments: { COMPLETED: paid }',
    /prints it .*payment status `COMPLETED`/,
  ],
  ['a printed status of refunds', 'words.refunds: { REFUND_INITIATED: x }', /prints it .*`REFUND_INITIATED`/],
  ['an empty word', 'words.events: { COMPLETED: "" }', /yaml:1:/],
  ['a placeholder that nothing fills', 'webhook.headers: { x-a: "${atempt}" }', /did you mean `attempt`/],
  ['a header of HTTP', 'webhook.headers: { Content-Length: "1" }', /HTTP itself sets/],
  ['one header twice', 'webhook.headers: { X-A: "1", x-a: "2" }', /the same header as X-A/],
  ['a line break in a header', 'webhook.headers: { x-a: "1\\n2" }', /printable ASCII/],
  [
    'a header of the signature',
    'webhook.headers: { Webhook-Id: "${webhookId}" }',
    /yaml:1:\d+: .*which the signature or the token of a webhook uses/,
  ],
  ['a wrong template of refunds', 'webhook.refundTemplate: { a: "${refundid}" }', /did you mean `refundId`/],
])('%s is refused', (_, text, expected) => {
  const found = complaints(text)
  expect(found.length, found.join('\n')).toBeGreaterThan(0)
  expect(found[0]).toMatch(expected)
})

test('words for what the API specification does not print are accepted', () => {
  expect(
    complaints(`words:
  webhook: { CREATED: open, COMPLETED: order.paid, FAILED: declined, REFUND_INITIATED: refunding }
  events: { COMPLETED: order.changed, FAILED: order.changed, refund: refund.created, other: order.other }
  orders: { ON_REVIEW: checking, ABANDONED: expired }
  payments: { CREATED: open, FAILED: failed }
  refunds: { REFUNDED: done }
webhook: { auth: hmac-body, headers: { webhook-id: "\${webhookId}" } }`),
  ).toEqual([])
})

const scenario = (rest: string): string[] => {
  const text = `id: own\ndescription: d\ntests: t\ntimeline: [{ at: 2s, order: COMPLETED }]\n${rest}`
  const read = readScenarioFile(text, 'own.yaml', 'own')
  return 'problems' in read ? read.problems.map(formatProblem) : []
}

const list = 'settings: { webhook: { format: template, template: ["${requestId}"] } }\n'

test.each([
  ['body', 'webhooks: [{ body: { a: "${requestid}" } }]', /yaml:5:\d+: .*did you mean `requestId`/],
  ['text of a body', 'webhooks: [{ body: "${nothing}" }]', /no value for \$\{nothing\}/],
  ['patch', 'webhooks: [{ patch: { a: ["${amount:minor}"] } }]', /no value for \$\{amount:minor\}/],
  ['header', 'webhooks: [{ headers: { x-a: "${fiatAmount:cents}" } }]', /unknown format/],
  [
    'patch of a template without fields',
    `${list}webhooks: [{ patch: { a: 1 } }]`,
    /yaml:6:\d+: .*only an object has fields/,
  ],
])('a %s that cannot be sent is refused when the scenario is loaded', (_, rest, expected) => {
  expect(scenario(rest)[0]).toMatch(expected)
})

test('placeholders with a value are accepted in bodies, patches and headers', () => {
  const rules = [
    '{ of: CREATED, body: { a: "${requestId}", n: "${attempt}" } }',
    '{ of: COMPLETED, patch: { a: "${fiatAmount:minor}" }, headers: { x-a: "${eventTime:seconds}" } }',
  ]
  expect(scenario(`webhooks: [${rules.join(', ')}]`)).toEqual([])
})

import { expect, test } from 'vitest'
import { readConfigFile } from '../../../src/conform/config/config-file.ts'
import { formatProblem } from '../../../src/domain/text/yaml-source.ts'

/** The problems of a configuration, one line each. */
function wrongIn(text: string, environment: Record<string, string> | null = {}): string[] {
  const read = readConfigFile(text, 'c.yaml', environment)
  return 'problems' in read ? read.problems.map(formatProblem) : []
}

const probe = (members: string) =>
  `probe: { url: "http://a.test/{requestId}", status: /s, statuses: { COMPLETED: paid }, ${members} }`

test('a whole configuration is read as it is written', () => {
  const text = `
client: shop
webhookUrl: http://127.0.0.1:3000/webhooks
webhookSignature: standard
start: { url: "http://127.0.0.1:3000/orders", body: { email: "a-{unique}@example.com", note: "{text}" }, requestId: /id }
probe:
  url: http://127.0.0.1:3000/orders/{requestId}
  status: /status
  statuses: { CREATED: [new, waiting], COMPLETED: paid, FAILED: declined }
  effects: /parcels
reconcile: { url: "http://127.0.0.1:3000/cron" }
time: { url: "http://127.0.0.1:3000/clock", body: { now: "{now}" } }
settle: 1s
`
  expect(readConfigFile(text, 'c.yaml', {})).toMatchObject({
    config: {
      client: 'shop',
      start: { requestId: '/id' },
      probe: { statuses: { CREATED: ['new', 'waiting'] } },
      settle: '1s',
    },
  })
})

test.each([
  ['webhookurl: http://a.test', 'c.yaml:1:1: unknown key `webhookurl`; did you mean `webhookUrl`?'],
  ['webhookUrl: a.test', expect.stringContaining('c.yaml:1:13: must be an absolute http or https URL')],
  ['webhookUrl: a.test', expect.stringContaining('not "a.test"; did you mean `http://a.test`?')],
  ['webhookUrl: http://a.test:0', expect.stringContaining('c.yaml:1:13: must have a port from 1 to 65535')],
  ['webhookSignature: standart', expect.stringMatching(/1:19: expected .*; did you mean `standard`\?$/)],
  ['start: http://a.test', expect.stringContaining('1:8: expected an object')],
  ['start: {}', 'c.yaml:1:8: `url` is missing'],
  ['start: { url: /orders }', expect.stringContaining('expected a URL like http://127.0.0.1:3000/orders')],
  ['start: { url: "http://a.test/{id}" }', expect.stringContaining('{id}')],
  [
    'start: { url: "http://a.test", body: { a: "{uniqe}" } }',
    expect.stringContaining('did you mean {unique}?'),
  ],
  [
    'start: { url: "http://a.test", requestId: $.order.id }',
    expect.stringContaining('a JSON pointer like `/order/id`'),
  ],
  ['start: { url: "http://a.test", method: post }', expect.stringContaining('did you mean `POST`?')],
  ['start: { url: "http://a.test", headers: { a: 1 } }', expect.stringContaining('put it in quotes')],
  [
    'probe: { url: "http://a.test", status: /s, statuses: { COMPLETED: paid } }',
    expect.stringContaining('{requestId} or {id} is missing in this call'),
  ],
  [
    'probe: { url: "http://a.test/{requestId}", statuses: { COMPLETED: a } }',
    expect.stringContaining('`status` is missing'),
  ],
  [
    'probe: { url: "http://a.test/{requestId}", status: /s, statuses: {} }',
    expect.stringContaining('`COMPLETED` is missing'),
  ],
  [
    'probe: { url: "http://a.test/{requestId}", status: /s, statuses: { COMPLETED: a, FAILED: [b, a] } }',
    expect.stringContaining('"a" is already listed under COMPLETED'),
  ],
  [
    'probe: { url: "http://a.test/{requestId}", status: /s, statuses: { PAID: a } }',
    expect.stringContaining('unknown key `PAID`'),
  ],
  [probe('perEffect: 0'), expect.stringContaining('must be more than 0')],
  [probe('body: {}'), expect.stringContaining('a GET call has no body')],
  [
    'start: { url: "http://a.test" }\nprobe: { url: "http://a.test/{id}", status: /s, statuses: { COMPLETED: paid } }',
    'c.yaml:1:8: `probe` uses {id}, so set the JSON pointer to it in the answer, like `id: /id`',
  ],
  ['time: { url: "http://a.test" }', expect.stringContaining('{now} is missing in this call')],
  ['settle: 500', expect.stringContaining('500 has no unit')],
  ['settle: soon', expect.stringContaining('expected a duration like 500ms')],
  ['patience: 2h', expect.stringContaining('must be at most 5m')],
])('%s is refused, with its place', (text, message) => {
  expect(wrongIn(text)).toContainEqual(message)
})

test('everything that is wrong is told at once', () => {
  expect(wrongIn('settel: 1s\nstart: { url: x }\nwebhookUrl: y\n')).toHaveLength(3)
})

test('environment variables stand in any text, with what to take where they are not set', () => {
  const text =
    'webhookUrl: http://127.0.0.1:${PORT:-3000}/webhooks\nstart: { url: "${SHOP}/orders", body: { a: "$${SHOP}" } }\n'
  expect(readConfigFile(text, 'c.yaml', { SHOP: 'http://shop.test' })).toMatchObject({
    config: {
      webhookUrl: 'http://127.0.0.1:3000/webhooks',
      start: { url: 'http://shop.test/orders', body: { a: '${SHOP}' } },
    },
  })
})

test('a variable that is not set is told with its line, and not what follows from that', () => {
  expect(wrongIn('client: shop\nwebhookUrl: ${SHOP}\n')).toEqual([
    'c.yaml:2:13: the environment variable SHOP is not set; set it, or give a default: ${SHOP:-default}',
  ])
})

test('a file that is checked by itself may depend on variables that are set elsewhere', () => {
  expect(wrongIn('webhookUrl: ${SHOP}\nsettle: 5\n', null)).toEqual([expect.stringMatching(/^c\.yaml:2:9: /)])
})

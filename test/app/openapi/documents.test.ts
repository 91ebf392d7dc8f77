import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { isObject, type JsonObject } from '../../support/answer.ts'
import { fitsSchema } from '../../support/documents.ts'
import { startFixture, startTestEmulator } from '../../support/emulator.ts'
import { startReceiver } from '../../support/receiver.ts'

const documents = ['/openapi.json', '/openapi-control.json']

test.each(documents)('%s is an OpenAPI 3.1 document', async (path) => {
  const emulator = await startTestEmulator()
  const { json } = await emulator.control(path)
  const validator = new Validator()
  expect(await validator.validate({ ...json })).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test.each(documents)('%s has nothing to find fault with, and its examples fit', async (path) => {
  const emulator = await startTestEmulator()
  const { text } = await emulator.control(path)
  const config = await createConfig({
    extends: ['recommended-strict'],
    // Two answers belong to no operation: those to requests that none takes.
    rules: { 'no-unused-components': 'off', 'no-invalid-schema-examples': 'error' },
  })
  const problems = await lintFromString({ source: text, absoluteRef: path, config })
  expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([])
})

test.each(documents)('%s gives every schema of a request body a name or members', async (path) => {
  const emulator = await startTestEmulator()
  const { json } = await emulator.control(path)
  for (const [place, { requestBody }] of operationsOf(json)) {
    if (!isObject(requestBody)) continue
    for (const { schema } of Object.values(Object(requestBody.content)).filter(isObject)) {
      expect(Object.keys(Object(schema)), place).not.toEqual([])
    }
  }
})

test.each(documents)('%s says what is refused before any call', async (path) => {
  const emulator = await startTestEmulator()
  const { json } = await emulator.control(path)
  for (const status of [400, 408, 413, 417, 431])
    expect(Object(json.info).description).toContain(String(status))
})

test('the document takes what is taken: a UUID in capitals, and each cause of a refusal', async () => {
  const emulator = await startTestEmulator()
  const service = (await emulator.control('/openapi.json')).json
  const control = (await emulator.control('/openapi-control.json')).json
  const checkout = Object(service.components).schemas.CheckoutRequest
  expect(fitsSchema(service, checkout.properties.userId, '6F1C9C1E-8F0A-4B5E-9A53-2D1C7B9F0E11')).toBe(true)
  const { cause } = Object(control.components).schemas.Diagnosis.properties
  expect(fitsSchema(control, cause, 'signature.amount-spelling')).toBe(true)
  expect(fitsSchema(control, cause, 'signature.amount')).toBe(false)
})

test.each(documents)('%s calls nothing done that was refused', async (path) => {
  const emulator = await startTestEmulator()
  const { json } = await emulator.control(path)
  const refusals = operationsOf(json).flatMap(([place, { responses }]) =>
    Object.entries(Object(responses))
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => [`${place} ${status}`, Object(response).description]),
  )
  expect(refusals.length).toBeGreaterThan(0)
  expect(refusals.filter(([, words]) => String(words).startsWith('Done'))).toEqual([])
})

test('a webhook that is sent fits what the document says of it', async () => {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url, defaultScenario: 'fail-9004' })
  await c1.createCheckout('r1')
  await c1.advance('1h')
  const { json } = await emulator.control('/openapi.json')
  const schema = Object(json.webhooks).orderStatus.post.requestBody.content['application/json'].schema
  expect(receiver.requests.length).toBeGreaterThan(1)
  for (const { json: body } of receiver.requests) expect(fitsSchema(json, schema, body)).toBe(true)
  expect(fitsSchema(json, schema, { requestId: 'r1' })).toBe(false)
})

test('of the two paths of the webhook URL, the document names those that are served', async () => {
  const emulator = await startTestEmulator()
  const named = async () =>
    Object.keys(Object((await emulator.control('/openapi.json')).json.paths)).filter((path) =>
      path.endsWith('webhook-url'),
    )
  expect(await named()).toEqual(['/v1/client/webhook-url', '/v1/client/fiat/webhook-url'])
  await emulator.control('/settings', 'PATCH', { 'paths.webhookUrl': 'short' })
  expect(await named()).toEqual(['/v1/client/webhook-url'])
})

test.each(documents)('%s is the same each time', async (path) => {
  const emulator = await startTestEmulator()
  expect((await emulator.control(path)).text).toBe((await emulator.control(path)).text)
})

function operationsOf({ paths }: JsonObject): [place: string, operation: JsonObject][] {
  return Object.entries(Object(paths)).flatMap(([path, item]) =>
    Object.entries(Object(item)).flatMap(([method, operation]): [string, JsonObject][] =>
      isObject(operation) ? [[`${method} ${path}`, operation]] : [],
    ),
  )
}

test('the errors in the document follow the templates and the status of the settings', async () => {
  const { emulator } = await startFixture()
  const document = async () => (await emulator.control('/openapi.json')).json
  const schemaIn = (answer: unknown) => Object(answer).content['application/json'].schema
  const created = async () =>
    Object((await document()).paths)['/v1/client/checkout/create-order'].post.responses
  const [before, kept] = [await created(), Object((await document()).components).responses]
  expect(Object.keys(before)).not.toContain('422')
  await emulator.control('/settings', 'PATCH', {
    errors: {
      validationStatus: 422,
      template: { text: '${message}', n: '${status}', code: '${code}' },
      validationTemplate: { problems: [{ path: '/${problems.field}', text: '${problems.reason}' }] },
    },
  })
  const after = await created()
  expect(schemaIn(after[422])).toEqual({
    type: 'object',
    properties: {
      problems: {
        type: 'array',
        items: { type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } } },
      },
    },
  })
  expect(after[401]).toEqual(before[401])
  const { NotFound } = Object((await document()).components).responses
  expect(schemaIn(NotFound)).toEqual({
    type: 'object',
    properties: { text: { type: 'string' }, n: { type: 'number' }, code: {} },
  })
  expect(schemaIn(kept.NotFound)).not.toEqual(schemaIn(NotFound))
  const refused = await fetch(`${emulator.url}/v1/client/orders?clientId=C1`, {
    headers: { 'access-token': 'T1' },
  })
  expect([refused.status, Object.keys(Object(await refused.json()))]).toEqual([422, ['problems']])
})

test('several events in one webhook are a list in the document too', async () => {
  const emulator = await startTestEmulator()
  await emulator.control('/settings', 'PATCH', { 'webhook.batch': { max: 5, within: '1s' } })
  const { json } = await emulator.control('/openapi.json')
  expect(Object(json.webhooks).orderStatus.post.requestBody.content['application/json'].schema).toMatchObject(
    {
      type: 'array',
      items: { type: 'object', properties: { requestId: { type: 'string' } } },
    },
  )
  expect(await new Validator().validate({ ...json })).toEqual({ valid: true })
})

test('the webhook in the document follows the settings', async () => {
  const emulator = await startTestEmulator()
  const webhook = async () => Object((await emulator.control('/openapi.json')).json.webhooks).orderStatus.post
  const before = await webhook()
  expect(before.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/WebhookEvent',
  })
  await emulator.control('/settings', 'PATCH', {
    webhook: {
      auth: 'none',
      format: 'template',
      template: [{ type: '${eventType}', v: 1, data: { cents: '${fiatAmount:minor}', id: '${requestId}' } }],
      headers: { 'X-Attempt': '${attempt}' },
    },
    words: { events: { COMPLETED: 'payment.succeeded' } },
  })
  const after = await webhook()
  expect(after.requestBody.content['application/json'].schema).toEqual({
    type: 'array',
    items: {
      type: 'object',
      properties: {
        type: { type: 'string', examples: ['payment.succeeded'] },
        v: { const: 1 },
        data: {
          type: 'object',
          properties: { cents: { type: 'number' }, id: { type: 'string' } },
        },
      },
    },
  })
  await emulator.control('/settings', 'PATCH', {
    'webhook.batch': { max: 5, within: '1s', template: { news: '${events}', count: '${count}' } },
  })
  expect((await webhook()).requestBody.content['application/json'].schema).toMatchObject({
    type: 'object',
    properties: {
      news: { type: 'array', maxItems: 5, items: { type: 'object' } },
      count: { type: 'number' },
    },
  })
  expect(after.parameters.map(({ name }: { name: string }) => name)).toEqual(['x-attempt'])
  const validator = new Validator()
  const { json } = await emulator.control('/openapi.json')
  expect(await validator.validate({ ...json })).toEqual({ valid: true })
})

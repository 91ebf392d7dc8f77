import { describe, expect, test } from 'vitest'
import type { SettingName } from '../../src/domain/choices/settings.ts'
import type { SettingChanges } from '../../src/index.ts'
import { errorWords } from '../../src/learn/rules/calls/error-words.ts'
import { refusals } from '../../src/learn/rules/calls/refusals.ts'
import type { Exchange } from '../../src/learn/traffic/exchange.ts'
import { contradicts, evidenceOf, exchange, findingOf, RecordedShop, result } from './calls-exchanges.ts'

/** The refusals of an application that makes all kinds of mistakes. */
async function mistakes(settings: SettingChanges): Promise<RecordedShop> {
  const shop = await RecordedShop.under(settings)
  await shop.create()
  await shop.create()
  await refusedInput(shop)
  await otherErrors(shop)
  return shop
}

async function refusedInput(shop: RecordedShop) {
  await shop.create({ fiatAmount: '10.001' })
  await shop.client.clock.advance('7s')
  await shop.create({ email: undefined })
  await shop.create({ email: 'nobody', fiatAmount: 10 })
  await shop.create({ firstName: 'x'.repeat(51), mode: 'app' })
  await shop.lookUp({}, '')
  await shop.call('GET', `/v1/client/orders?clientId=${shop.client.clientId}`)
}

async function otherErrors(shop: RecordedShop) {
  for (let n = 0; n < 2; n++)
    await shop.call('POST', '/v1/client/simulate-webhook', {
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    })
  for (let n = 0; n < 2; n++) {
    await shop.call('GET', '/v1/client/order')
    await shop.call('GET', '/v1/client/checkout/create-order')
  }
  for (const status of [503, 429, 500])
    for (let n = 0; n < 2; n++) {
      await shop.client.faults.plan({ on: 'orders', effect: { status } })
      await shop.lookUp()
    }
}

const names: SettingName[] = ['errors.validationStatus', 'errors.template', 'errors.validationTemplate']

/** The claims of a settings file must all hold for its own traffic. */
function expectNoDrift(shop: RecordedShop, settings: SettingChanges) {
  const claims = new Map(
    [...refusals.settings, ...errorWords.settings].map((name) => [
      name,
      Object(settings)[name] ?? defaults[name],
    ]),
  )
  for (const rule of [refusals, errorWords])
    for (const name of rule.settings) {
      const { claim } = findingOf(rule, name, shop.evidence, claims)
      expect([name, claim]).toEqual([name, { holds: true }])
    }
}
const defaults: Readonly<Record<string, unknown>> = {
  'errors.validationStatus': 400,
  'errors.template': null,
  'errors.validationTemplate': null,
  ...{ 'errors.codes': {}, 'errors.messages': {}, 'errors.rules': {}, 'errors.reasons': {} },
}

describe('error bodies', () => {
  test('without settings they are known to be as printed', async () => {
    const shop = await mistakes({})
    for (const [name, value] of [
      [names[0], 400],
      [names[1], null],
      [names[2], null],
    ] as const)
      expect([name, ...result(refusals, name ?? 'limits', shop.evidence)]).toEqual([name, 'known', value])
    expectNoDrift(shop, {})
    expect(contradicts(refusals, 'errors.validationStatus', shop.evidence, 422)).toBe(true)
    expect(contradicts(refusals, 'errors.template', shop.evidence, { message: '${message}' })).toBe(true)
    expect(contradicts(refusals, 'errors.validationTemplate', shop.evidence, { message: '${message}' })).toBe(
      true,
    )
  })

  test('one template for all errors is found, and that invalid input has none of its own', async () => {
    const settings = {
      'errors.validationStatus': 422,
      'errors.template': {
        status: '${status}',
        error: { code: '${code}', text: '${message}' },
        trace: '${errorId}',
        at: '${time}',
        kind: 'problem',
      },
      'errors.codes': { 422: 'E_INPUT', 503: 'E_DOWN' },
    }
    const shop = await mistakes(settings)
    expect(result(refusals, 'errors.validationStatus', shop.evidence)).toEqual(['known', 422])
    expect(result(refusals, 'errors.template', shop.evidence)).toEqual(['known', settings['errors.template']])
    expect(result(refusals, 'errors.validationTemplate', shop.evidence)).toEqual(['known', null])
    expect(result(errorWords, 'errors.codes', shop.evidence)).toEqual([
      'likely',
      { 422: 'E_INPUT', 503: 'E_DOWN' },
    ])
    expectNoDrift(shop, settings)
    expect(contradicts(refusals, 'errors.template', shop.evidence, null)).toBe(true)
    expect(contradicts(errorWords, 'errors.codes', shop.evidence, {})).toBe(true)
  })

  test('a template for invalid input with a list of problems is found, with its words', async () => {
    const settings = {
      'errors.template': { message: '${message}' },
      'errors.validationTemplate': {
        message: 'Invalid input',
        problems: [{ path: '${problems.pointer}', rule: '${problems.rule}', text: '${problems.reason}' }],
      },
      'errors.rules': { required: 'missing' },
      'errors.reasons': { 'fiatAmount.format': 'must have at most two decimal places' },
      'errors.messages': { 429: 'Slow down', 503: 'Out of order' },
    }
    const shop = await mistakes(settings)
    expect(result(refusals, 'errors.template', shop.evidence)).toEqual(['known', settings['errors.template']])
    const { value, state } = findingOf(refusals, 'errors.validationTemplate', shop.evidence)
    expect(state).toBe('likely')
    expect(value).toEqual(settings['errors.validationTemplate'])
    expect(result(errorWords, 'errors.rules', shop.evidence)).toEqual(['likely', settings['errors.rules']])
    expect(result(errorWords, 'errors.reasons', shop.evidence)).toEqual([
      'likely',
      settings['errors.reasons'],
    ])
    expect(result(errorWords, 'errors.messages', shop.evidence)).toEqual([
      'likely',
      settings['errors.messages'],
    ])
    expectNoDrift(shop, settings)
    const other = { ...settings['errors.validationTemplate'], message: 'Wrong' }
    expect(contradicts(refusals, 'errors.validationTemplate', shop.evidence, other)).toBe(true)
  })

  test('a template that two templates could replace is likely at most', async () => {
    const list = [{ field: '${problems.field}', why: '${problems.reason}' }]
    for (const settings of [
      { 'errors.template': { text: '${message}', list } },
      {
        'errors.template': { text: '${message}', list: [] },
        'errors.validationTemplate': { text: '${message}', list },
      },
      {
        'errors.template': { text: '${message}', list: [] },
        'errors.validationTemplate': { text: 'Invalid input', list },
      },
    ]) {
      const shop = await mistakes(settings)
      expect(findingOf(refusals, 'errors.template', shop.evidence).state).toBe('likely')
      expectNoDrift(shop, settings)
    }
  })

  test('a template that writes the usual body is not taken for none', async () => {
    const settings = { 'errors.template': { error: '${message}' } }
    const shop = await RecordedShop.under(settings)
    await otherErrors(shop)
    expect(result(refusals, 'errors.template', shop.evidence)).toEqual(['likely', null])
    await shop.lookUp({}, '')
    await shop.lookUp({}, '')
    expect(result(refusals, 'errors.template', shop.evidence)).toEqual(['likely', null])
    await refusedInput(shop)
    expect(result(refusals, 'errors.template', shop.evidence)).toEqual([
      'likely',
      settings['errors.template'],
    ])
    expectNoDrift(shop, settings)
  })

  test('a template of the first problem only is likely at most', async () => {
    const settings = { 'errors.validationTemplate': { field: '${first.field}', why: '${first.reason}' } }
    const shop = await mistakes(settings)
    expect(findingOf(refusals, 'errors.validationTemplate', shop.evidence)).toMatchObject({
      state: 'likely',
      value: settings['errors.validationTemplate'],
    })
    expect(result(refusals, 'errors.template', shop.evidence)).toEqual(['known', null])
    expectNoDrift(shop, settings)
  })

  test('what other errors look like is not claimed if only invalid input was refused', async () => {
    const shop = await RecordedShop.under({ 'errors.template': { detail: '${message}' } })
    await refusedInput(shop)
    expect(findingOf(refusals, 'errors.template', shop.evidence).state).toBe('unknown')
    expect(findingOf(refusals, 'errors.validationTemplate', shop.evidence)).toMatchObject({
      state: 'likely',
      value: { detail: '${message}' },
    })
  })
})

describe('words of errors that were seen in part', () => {
  const ownMessages = {
    'errors.template': { status: '${status}', text: '${message}' },
    'errors.messages': { 404: 'Nothing is here', 415: 'Send JSON' },
  }
  const asText = { headers: { 'content-type': 'text/plain' }, body: 'x' }

  test('an unknown path shows the message of 404', async () => {
    const shop = await mistakes(ownMessages)
    expect(result(errorWords, 'errors.messages', shop.evidence)).toEqual([
      'likely',
      ownMessages['errors.messages'],
    ])
    expectNoDrift(shop, ownMessages)
  })

  test('messages are unknown as long as an ordinary status was not seen', async () => {
    const shop = await RecordedShop.under(ownMessages)
    for (let n = 0; n < 2; n++) {
      await shop.create()
      await shop.call('POST', '/v1/client/simulate-webhook', asText)
      await shop.client.faults.plan({ on: 'orders', effect: { status: 503 } })
      await shop.lookUp()
    }
    const { state, evidence } = findingOf(errorWords, 'errors.messages', shop.evidence)
    expect(state).toBe('unknown')
    expect(evidence).toContain('{"415":"Send JSON"}')
    expect(contradicts(errorWords, 'errors.messages', shop.evidence, { 415: 'Use JSON' })).toBe(true)
  })

  test('a gateway that answers unknown paths with a body of its own does not disturb the others', async () => {
    const shop = await mistakes(ownMessages)
    const gateway = shop.exchanges.map((each) =>
      each.path.endsWith('/order') ? { ...each, response: '{"message":"no Route matched"}' } : each,
    )
    const evidence = evidenceOf(gateway, shop.secrets)
    expect(result(refusals, 'errors.template', evidence)).toEqual(['known', ownMessages['errors.template']])
    expect(findingOf(errorWords, 'errors.messages', evidence).state).toBe('unknown')
  })

  test('the usual reason of one field is no word of the provider', async () => {
    const settings = {
      'errors.validationTemplate': { list: [{ at: '${problems.field}', why: '${problems.reason}' }] },
    }
    const shop = await RecordedShop.under(settings)
    await refusedInput(shop)
    for (let n = 0; n < 2; n++) await shop.create({ mode: 'returnAppUrl', targetApp: 'INVALID_APP' })
    expect(result(errorWords, 'errors.reasons', shop.evidence)).toEqual(['likely', {}])
  })

  test('rules of which only one was seen are unknown', async () => {
    const settings = {
      'errors.validationTemplate': {
        list: [{ at: '${problems.field}', why: '${problems.rule}', text: '${problems.reason}' }],
      },
      'errors.rules': { required: 'missing', type: 'wrong_type' },
    }
    const shop = await RecordedShop.under(settings)
    for (const field of ['email', 'currencyId', 'email']) await shop.create({ [field]: undefined })
    expect(findingOf(errorWords, 'errors.rules', shop.evidence).state).toBe('unknown')
  })
})

describe('misleading errors', () => {
  const failure = (seconds: number, status: number, response: string): Exchange =>
    exchange({ seconds, status, response })

  test('HTML, cut bodies and gateway errors are no template, and are listed', () => {
    const evidence = evidenceOf([
      failure(0, 502, '<html>Bad Gateway</html>'),
      failure(1, 503, '{"oops":"ups'),
      failure(2, 503, '{"oops":"down"}'),
      failure(3, 503, '{"oops":"down"}'),
      failure(4, 401, '{"error":"Client verification failed"}'),
    ])
    for (const name of names)
      expect([name, findingOf(refusals, name, evidence).state]).toEqual([name, 'unknown'])
    const context = { claims: new Map(), found: () => undefined }
    expect(refusals.unexplained?.(evidence, context)).toMatchObject([
      { what: 'error body with status 502', count: 1, of: 1 },
      { what: 'error body with status 503', count: 3, of: 3 },
    ])
  })

  test('an unknown code of a create call is listed, and no template', () => {
    const body = JSON.stringify({
      clientId: 'c',
      requestId: 'r',
      currencyId: 'EUR',
      fiatAmount: '1',
      email: 'a@b',
    })
    const refused = (seconds: number) =>
      exchange({
        seconds,
        method: 'POST',
        path: '/v1/client/checkout/create-order',
        body,
        status: 401,
        response: '{"error":{"code":"7002","message":"Limit of the merchant reached"}}',
      })
    const evidence = evidenceOf([refused(0), refused(1)])
    for (const name of names)
      expect([name, findingOf(refusals, name, evidence).state]).toEqual([name, 'unknown'])
    const context = { claims: new Map(), found: () => undefined }
    expect(refusals.unexplained?.(evidence, context)).toMatchObject([
      { what: 'error body with status 401', count: 2 },
    ])
  })

  test('a fault with its own body beside the usual ones makes nothing known that is wrong', async () => {
    const shop = await RecordedShop.under({})
    await refusedInput(shop)
    await shop.client.faults.plan({ on: 'orders', effect: { status: 429, body: { slow: true } }, times: 2 })
    await shop.lookUp()
    await shop.lookUp()
    for (const name of names) {
      const { state, value } = findingOf(refusals, name, shop.evidence)
      if (state === 'known') expect([name, value]).toEqual([name, defaults[name]])
    }
  })

  test('one text for all kinds of wrong input is a part of the template, not a message', async () => {
    const template = { message: 'The body is not valid', fields: ['${problems.field}'] }
    const shop = await mistakes({ 'errors.validationTemplate': template })
    const found = findingOf(refusals, 'errors.validationTemplate', shop.evidence)
    expect(found).toMatchObject({ state: 'likely', value: template })
  })

  test('a code with the status in it is a part of the template', async () => {
    const settings = {
      'errors.template': { code: 'E-${status}', text: '${message}' },
      'errors.validationTemplate': { text: 'Invalid', list: ['${problems.field}'] },
    }
    const shop = await mistakes(settings)
    const found = findingOf(refusals, 'errors.template', shop.evidence)
    expect(found).toMatchObject({ state: 'likely', value: settings['errors.template'] })
    expectNoDrift(shop, settings)
  })

  test('a text that only invalid input has belongs to a template of its own', async () => {
    const settings = {
      'errors.template': { text: '${message}', list: [] },
      'errors.validationTemplate': { text: 'Invalid input', list: [{ field: '${problems.field}' }] },
    }
    const shop = await mistakes(settings)
    for (const name of ['errors.template', 'errors.validationTemplate'] as const)
      expect(findingOf(refusals, name, shop.evidence)).toMatchObject({
        state: 'likely',
        value: settings[name],
      })
  })

  test('errors of one status make no template', async () => {
    const shop = await RecordedShop.under({})
    const body = { problems: [{ where: '', what: 'slow_down' }] }
    await shop.client.faults.plan({ on: 'orders', effect: { status: 429, body }, times: 2 })
    await shop.lookUp()
    await shop.lookUp()
    expect(findingOf(refusals, 'errors.template', shop.evidence)).toMatchObject({
      state: 'unknown',
      evidence: 'only errors 429 were seen, whose body may be fixed',
    })
  })

  test('an id that differs in every refusal is no word for a rule', () => {
    const refused = (seconds: number, without: string): Exchange => {
      const all = {
        clientId: 'c',
        requestId: `r${seconds}`,
        currencyId: 'EUR',
        fiatAmount: '1',
        email: 'a@b',
      }
      return exchange({
        seconds,
        method: 'POST',
        path: '/v1/client/checkout/create-order',
        body: JSON.stringify({ ...all, [without]: undefined }),
        status: 422,
        response: JSON.stringify({
          problems: [{ where: without, what: 'missing_value' }],
          trace: `tr-${7000 + seconds}`,
        }),
      })
    }
    const evidence = evidenceOf([refused(0, 'email'), refused(1, 'currencyId')])
    expect(findingOf(refusals, 'errors.validationTemplate', evidence).state).toBe('unknown')
    expect(findingOf(errorWords, 'errors.rules', evidence).state).toBe('unknown')
    const context = { claims: new Map(), found: () => undefined }
    expect(refusals.unexplained?.(evidence, context)).toMatchObject([
      { what: 'error body with status 422', count: 2 },
    ])
  })

  test('refused input under a status of a fault does not decide about the status', async () => {
    const shop = await RecordedShop.under({})
    await shop.create()
    await shop.client.faults.plan({ on: 'create-order', effect: { status: 422 }, times: 2 })
    await shop.create()
    await shop.create()
    expect(findingOf(refusals, 'errors.validationStatus', shop.evidence).state).toBe('unknown')
  })
})

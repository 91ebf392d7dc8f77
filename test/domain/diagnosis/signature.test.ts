import { describe, expect, test } from 'vitest'
import { diagnoseSignature } from '../../../src/domain/diagnosis/signature.ts'
import { processorMs } from '../../support/processor-ms.ts'
import {
  checkoutBody,
  client,
  diagnosed,
  hmac,
  other,
  refusedCheckout,
  refusedSubscription,
  sha256,
} from './refused-signature.ts'

const short = 'fiatAmount=10.00&requestId=req-0001'
const long = `currencyId=usd_us&${short}`
const right = hmac(short)
const bytes = Buffer.from(right, 'base64')
const sorted =
  '{"clientId":"C1","currencyId":"usd_us","email":"a@example.com","fiatAmount":"10.00","requestId":"req-0001"}'

describe('a string that was signed instead', () => {
  test.each([
    ['fiatAmount=10&requestId=req-0001', 'signature.amount-spelling'],
    ['fiatAmount=10.0&requestId=req-0001', 'signature.amount-spelling'],
    ['fiatAmount=1E+1&requestId=req-0001', 'signature.amount-spelling'],
    ['fiatAmount=1000&requestId=req-0001', 'signature.amount-spelling'],
    ['fiatAmount=10,00&requestId=req-0001', 'signature.amount-spelling'],
    ['currencyId=usd_us&fiatAmount=10.0&requestId=req-0001', 'signature.amount-spelling'],
    [`${long}&interval=`, 'signature.subscription-form'],
    [`${long}&interval=&trialPeriodDays=`, 'signature.subscription-form'],
    [`${long}&interval=MONTHLY`, 'signature.subscription-form'],
    [`${long}&interval=YEARLY`, 'signature.subscription-form'],
    [`${long}&interval=undefined`, 'signature.subscription-form'],
    [`${long}&interval=MONTHLY&trialPeriodDays=14`, 'signature.subscription-form'],
    [`${long}&interval=WEEKLY&trialPeriodDays=`, 'signature.subscription-form'],
    [`${short}\n`, 'signature.line-end'],
    [`${long}\r\n`, 'signature.line-end'],
    [`${short}&`, 'signature.separators'],
    [short.replace('&', '&amp;'), 'signature.separators'],
    ['10.00req-0001', 'signature.values-only'],
    ['fiat_amount=10.00&request_id=req-0001', 'signature.member-names'],
    ['requestId=req-0001&fiatAmount=10.00', 'signature.member-order'],
    ['fiatAmount=10.00&requestId=req-0001&currencyId=usd_us', 'signature.member-order'],
    ['requestId=req-0001', 'signature.member-missing'],
    ['currencyId=usd_us&requestId=req-0001', 'signature.member-missing'],
    ['fiatAmount=10.00&requestId=REQ-0001', 'signature.value-case'],
    ['fiatAmount=10.00&requestId=req0001', 'signature.value-altered'],
    ['fiatAmount=10.00&requestId=undefined', 'signature.value-missing'],
    ['fiatAmount=undefined&requestId=undefined', 'signature.value-missing'],
    ['fiatAmount="10.00"&requestId="req-0001"', 'signature.value-quoted'],
    [encodeURIComponent(short), 'signature.percent-encoded'],
    [Buffer.from(short).toString('base64'), 'signature.encoded-first'],
    ['', 'signature.empty-string'],
    [JSON.stringify(checkoutBody), 'signature.json-body'],
    [`${JSON.stringify(checkoutBody)}\n`, 'signature.json-body'],
    [JSON.stringify(checkoutBody, null, 2), 'signature.json-body'],
    [sorted, 'signature.json-body'],
    [sorted.replaceAll(/([:,])"/g, '$1 "'), 'signature.json-body'],
    ['{"fiatAmount":"10.00","requestId":"req-0001"}', 'signature.json-body'],
    [
      'clientId=C1&currencyId=usd_us&email=a@example.com&fiatAmount=10.00&requestId=req-0001',
      'signature.all-members',
    ],
  ])('%j is %s', (text, cause) => {
    expect(diagnosed(hmac(text))).toMatchObject({ cause, signedString: text })
  })

  test.each([
    ['a b&c', 'a%20b%26c', 'signature.percent-encoded'],
    ['a/é', 'a%2f%c3%a9', 'signature.percent-encoded'],
    ['a b', 'a+b', 'signature.form-encoded'],
    ["it's (1)", 'it%27s%20%281%29', 'signature.percent-encoded'],
    ['a%20b', 'a b', 'signature.percent-decoded'],
    ['zamówienie', 'zamówienie'.normalize('NFD'), 'signature.unicode-form'],
    ['zamówienie'.normalize('NFD'), 'zamówienie', 'signature.unicode-form'],
    ['zamówienie', 'zam\\u00f3wienie', 'signature.json-escaped'],
    ['zamówienie', 'zam?wienie', 'signature.bytes'],
    [' r1 ', 'r1', 'signature.value-trimmed'],
  ])('the requestId %j signed as %j is %s', (requestId, signed, cause) => {
    const text = `fiatAmount=10.00&requestId=${signed}`
    expect(diagnosed(hmac(text), { requestId }).cause).toBe(cause)
  })

  test.each(['latin1', 'utf16le'] as const)('in %s is signature.bytes', (encoding) => {
    const text = 'fiatAmount=10.00&requestId=zamówienie'
    const signature = hmac(Buffer.from(text, encoding))
    expect(diagnosed(signature, { requestId: 'zamówienie' }).cause).toBe('signature.bytes')
  })

  test('with the first of two values in the body is body.duplicate-member', () => {
    const context = { firstValues: { fiatAmount: '9.00' } }
    const diagnosis = diagnosed(hmac('fiatAmount=9.00&requestId=req-0001'), {}, context)
    expect(diagnosis.cause).toBe('body.duplicate-member')
  })

  test.each([
    [{ interval: 'MONTHLY' }, 'interval=YEARLY'],
    [{ interval: 'MONTHLY' }, 'interval=MONTHLY&trialPeriodDays=30'],
    [{ trialPeriodDays: '29' }, 'interval=DAILY&trialPeriodDays=29'],
  ])('on a checkout with %j, %j is signature.subscription-form', (members, signed) => {
    const text = `${long}&${signed}`
    expect(diagnosed(hmac(text), members)).toMatchObject({
      cause: 'signature.subscription-form',
      signedString: text,
    })
  })

  test.each([
    ['currencyId=usd_us&fiatAmount=1.00&requestId=req-0001&interval=MONTHLY', 'signature.trial-days'],
    [
      'currencyId=usd_us&fiatAmount=1.00&requestId=req-0001&interval=MONTHLY&trialPeriodDays=',
      'signature.trial-days',
    ],
    [
      'currencyId=usd_us&fiatAmount=1.00&requestId=req-0001&interval=MONTHLY&trialPeriodDays=07',
      'signature.trial-days',
    ],
    ['fiatAmount=1.00&requestId=req-0001', 'signature.checkout-form'],
    ['currencyId=usd_us&fiatAmount=1.00&requestId=req-0001', 'signature.checkout-form'],
    [
      'currencyId=usd_us&fiatAmount=1&requestId=req-0001&interval=MONTHLY&trialPeriodDays=7',
      'signature.amount-spelling',
    ],
    [
      'interval=MONTHLY&currencyId=usd_us&fiatAmount=1.00&requestId=req-0001&trialPeriodDays=7',
      'signature.member-order',
    ],
  ])('for a subscription: %j is %s', (text, cause) => {
    expect(diagnoseSignature(refusedSubscription(hmac(text)))).toMatchObject({ cause, signedString: text })
  })

  test('all five members of a subscription in any order are signature.member-order', () => {
    const text = 'currencyId=usd_us&fiatAmount=1.00&requestId=req-0001&trialPeriodDays=7&interval=MONTHLY'
    expect(diagnoseSignature(refusedSubscription(hmac(text))).cause).toBe('signature.member-order')
  })

  test('an unpadded number of trial days is signature.trial-days', () => {
    const text = 'currencyId=usd_us&fiatAmount=1.00&requestId=req-0001&interval=MONTHLY&trialPeriodDays=7'
    const refused = refusedSubscription(hmac(text), { trialPeriodDays: '07' })
    expect(diagnoseSignature(refused).cause).toBe('signature.trial-days')
  })

  test.each([
    [[short], long],
    [[long], short],
  ])('where a setting pins %j, %j is signature.checkout-form', (accepted, text) => {
    expect(diagnosed(hmac(text), {}, { accepted }).cause).toBe('signature.checkout-form')
  })
})

describe('a key that was used instead', () => {
  test.each([
    [`${client.apiSecret}\n`, 'signature.key-altered'],
    [Buffer.from(client.apiSecret, 'base64'), 'signature.key-altered'],
    [Buffer.from(client.apiSecret).toString('base64'), 'signature.key-altered'],
    [Buffer.from(client.apiSecret).toString('hex'), 'signature.key-altered'],
    [`"${client.apiSecret}"`, 'signature.key-altered'],
    [client.accessToken, 'signature.key-access-token'],
    [client.webhookSecret, 'signature.key-webhook-secret'],
    [Buffer.from('demo-webhook'), 'signature.key-webhook-secret'],
    [client.clientId, 'signature.key-client-id'],
    ['', 'signature.key-empty'],
    ['undefined', 'signature.key-empty'],
    [other.apiSecret, 'signature.key-other-client'],
  ])('%j is %s', (key, cause) => {
    expect(diagnosed(hmac(long, key))).toMatchObject({ cause, stringToSign: long })
  })

  test.each([
    ['deadbeef', Buffer.from('deadbeef', 'hex'), 'hex-decoded'],
    [' padded ', 'padded', 'spaces'],
  ])('of the secret %j: %j', (apiSecret, key, words) => {
    const context = { client: { ...client, apiSecret } }
    const { cause, message } = diagnosed(hmac(short, key), {}, context)
    expect([cause, message]).toEqual(['signature.key-altered', expect.stringContaining(words)])
  })

  test('the other client is named', () => {
    expect(diagnosed(hmac(short, other.apiSecret)).message).toContain('"C2"')
  })

  test('of very many clients the first hundred are tried', () => {
    const many = Array.from({ length: 150 }, (_, n) => ({ clientId: `M${n}`, apiSecret: `secret-${n}` }))
    const context = { others: many.slice(0, 100), othersCount: 150 }
    expect(diagnosed(hmac(short, 'secret-99'), {}, context).message).toContain('"M99"')
    expect(diagnosed(hmac(short, 'secret-100'), {}, context).message).toContain('100 of 150 other clients')
  })
})

describe('the digest', () => {
  test.each([
    [hmac(short, client.apiSecret, 'sha1'), 'signature.algorithm'],
    [hmac(long, client.apiSecret, 'sha512'), 'signature.algorithm'],
    [sha256(`${short}${client.apiSecret}`), 'signature.no-hmac'],
    [sha256(`${client.apiSecret}${short}`), 'signature.no-hmac'],
    [sha256(short), 'signature.no-hmac'],
    [hmac(client.apiSecret, short), 'signature.no-hmac'],
    [bytes.toString('hex'), 'signature.hex'],
    [bytes.toString('hex').toUpperCase(), 'signature.hex'],
    [Buffer.from(bytes.toString('hex')).toString('base64'), 'signature.base64-of-hex'],
    [Buffer.from(right).toString('base64'), 'signature.base64-twice'],
    [right.replace('=', ''), 'signature.padding'],
    [`${right}=`, 'signature.padding'],
    [encodeURIComponent(right), 'signature.percent-encoded-header'],
    [`"${right}"`, 'signature.wrapped'],
    [`b'${right}'`, 'signature.wrapped'],
    [`sha256=${right}`, 'signature.wrapped'],
    [`sha256=${bytes.toString('hex')}`, 'signature.wrapped'],
    [`HMAC-SHA256 ${right}`, 'signature.wrapped'],
    [`v1,${right}`, 'signature.wrapped'],
    [`SHA2-256(stdin)= ${bytes.toString('hex')}`, 'signature.wrapped'],
    [`${right}\\n`, 'signature.wrapped'],
    [`<${right}>`, 'signature.wrapped'],
    [right.slice(0, 30), 'signature.cut'],
    [right.toLowerCase(), 'signature.letter-case'],
    [`${right}, ${right}`, 'signature.twice'],
    [`x, ${right}`, 'signature.twice'],
    [short, 'signature.unsigned'],
    [client.apiSecret, 'signature.credential'],
    [client.accessToken, 'signature.credential'],
    ['undefined', 'signature.placeholder'],
    ['[object Promise]', 'signature.placeholder'],
    ['{signature}', 'signature.placeholder'],
    ['x', 'signature.no-digest'],
    ['', 'signature.empty'],
    [undefined, 'signature.missing'],
  ])('%j is %s', (signature, cause) => {
    expect(diagnosed(signature)).toMatchObject({
      cause,
      stringToSign: expect.stringMatching(/requestId=req-0001$/),
    })
  })

  // The example must have characters in which the alphabets differ.
  const requestId = 'req-0002'
  const telling = hmac(`fiatAmount=10.00&requestId=${requestId}`)

  test.each([
    [telling.replaceAll('+', '-').replaceAll('/', '_'), 'signature.base64url'],
    [Buffer.from(telling, 'base64').toString('base64url'), 'signature.base64url'],
  ])('%j is %s', (signature, cause) => {
    expect(signature).toMatch(/[-_]/)
    expect(diagnosed(signature, { requestId }).cause).toBe(cause)
  })

  test('with spaces where + was is signature.spaces', () => {
    const plus = Array.from({ length: 50 }, (_, n) => `r${n}`).find((id) =>
      hmac(`fiatAmount=10.00&requestId=${id}`).includes('+'),
    )
    const signature = hmac(`fiatAmount=10.00&requestId=${plus}`).replaceAll('+', ' ')
    expect(diagnosed(signature, { requestId: String(plus) }).cause).toBe('signature.spaces')
  })
})

describe('mistakes that come together', () => {
  test.each([
    [
      'amount and hex',
      Buffer.from(hmac('fiatAmount=10&requestId=req-0001'), 'base64').toString('hex'),
      ['fiatAmount=10`', 'hex'],
    ],
    [
      'amount and secret of `echo`',
      hmac('fiatAmount=10&requestId=req-0001', `${client.apiSecret}\n`),
      ['fiatAmount=10`', 'line break'],
    ],
    [
      'line ends of `echo` everywhere',
      hmac(`${short}\n`, `${client.apiSecret}\n`),
      ['line break after the string', 'API secret with a line break'],
    ],
    [
      'the body under the decoded secret',
      hmac(JSON.stringify(checkoutBody), Buffer.from(client.apiSecret, 'base64')),
      ['JSON body', 'base64-decoded'],
    ],
    [
      'SHA-1 of the body, in hex, with a prefix',
      `sha1=${Buffer.from(hmac(JSON.stringify(checkoutBody), client.apiSecret, 'sha1'), 'base64').toString('hex')}`,
      ['JSON body', 'SHA-1', 'hex', 'prefix'],
    ],
    [
      'the subscription string with 10',
      hmac('currencyId=usd_us&fiatAmount=10&requestId=req-0001&interval='),
      ['fiatAmount=10`', 'subscription'],
    ],
  ])('%s', (_, signature, words) => {
    const { cause, message } = diagnosed(signature)
    expect(cause).not.toBe('signature.wrong')
    for (const each of words) expect(message).toContain(each)
  })
})

describe('what looks like a mistake and is none that is known', () => {
  test.each([
    ['another amount', hmac('fiatAmount=10.01&requestId=req-0001')],
    ['a tenth of the amount', hmac('fiatAmount=1.00&requestId=req-0001')],
    ['another requestId', hmac('fiatAmount=10.00&requestId=req-0002')],
    ['another currency', hmac('currencyId=eur_de&fiatAmount=10.00&requestId=req-0001')],
    ['two line ends', hmac(`${short}\n\n`)],
    ['a secret nobody has', hmac(short, 'nobodys')],
    [
      "another client's secret and another amount",
      hmac('fiatAmount=1.00&requestId=req-0001', other.apiSecret),
    ],
    ['hex with a digit changed', bytes.toString('hex').replace(/^./, (c) => (c === '0' ? '1' : '0'))],
    ['one character changed', right.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))],
    ['two wrong values', `${hmac('a')}, ${hmac('b')}`.slice(0, 44)],
    ['the body of another order', hmac(JSON.stringify({ ...checkoutBody, requestId: 'r2' }))],
    ['the body without one brace', hmac(JSON.stringify(checkoutBody).slice(1))],
  ])('%s', (_, signature) => {
    const { cause, message, signedString } = diagnosed(signature)
    expect([cause, signedString]).toEqual(['signature.wrong', undefined])
    expect(message).toContain('Tried: ')
  })

  test('the same amount, for a requestId that has no other Unicode form', () => {
    const text = 'fiatAmount=10.00&requestId=req-0001x'
    expect(diagnosed(hmac(text), { requestId: 'req-0001y' }).cause).toBe('signature.wrong')
  })
})

test('the diagnosis shows what was signed, and where it differs from the nearest right string', () => {
  const text = 'currencyId=usd_us&fiatAmount=10&requestId=req-0001'
  expect(diagnosed(hmac(text))).toEqual({
    cause: 'signature.amount-spelling',
    message:
      'signature: you signed `fiatAmount=10`, but the body has `10.00` (from index 31 you signed `&requestId=req-0…` ' +
      `instead of \`.00&requestId=re…\`); sign \`${long}\``,
    stringToSign: long,
    signedString: text,
    firstDifference: 31,
  })
})

test('a right signature in a wrong place is only that; a wrong one is told too', () => {
  const place = { cause: 'signature.header-name', where: 'the header `x-signature`' } as const
  const good = diagnosed(undefined, {}, { elsewhere: { ...place, signature: right } })
  expect(good.cause).toBe('signature.header-name')
  expect(good.message).not.toContain('Besides')
  const bad = diagnosed(undefined, {}, { elsewhere: { ...place, signature: bytes.toString('hex') } })
  expect(bad.cause).toBe('signature.header-name')
  expect(bad.message).toContain('Also, you sent the hex digest')
})

test('no diagnosis has a secret in it', () => {
  const secrets = [client.apiSecret, client.accessToken, client.webhookSecret, other.apiSecret]
  const keys = [...secrets, ...secrets.map((secret) => `${secret}\n`)]
  const signatures = [
    ...keys.flatMap((key) => [
      hmac(short, key),
      sha256(`${short}${key}`),
      sha256(`${key}${short}`),
      key.trim(),
    ]),
    hmac(client.apiSecret, short),
  ]
  const secretive = { client: { ...client, accessToken: 'token-of-C1' } }
  for (const signature of signatures) {
    const text = JSON.stringify(diagnosed(signature, {}, secretive))
    for (const secret of [...secrets.filter((each) => each !== 'T1'), 'token-of-C1'])
      expect(text).not.toContain(secret)
  }
})

test.each([
  ['a long requestId', { requestId: 'x'.repeat(1_000_000) }],
  ['a long requestId of other letters', { requestId: 'é '.repeat(300_000) }],
  ['many members', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`m${n}`, 'x']))],
])('a hostile body is refused in bounded time: %s', (_, changes) => {
  const refused = refusedCheckout(hmac('nothing'), changes)
  expect(diagnoseSignature(refused).cause).toBe('signature.wrong')
  expect(processorMs(() => diagnoseSignature(refused))).toBeLessThan(250)
})

test('two Unicode forms of a requestId, which look the same, are shown with escapes', () => {
  const requestId = 'zamówienie'
  const { message } = diagnosed(hmac(`fiatAmount=10.00&requestId=${requestId.normalize('NFD')}`), {
    requestId,
  })
  expect(message).toContain('you signed `o\\u0301wienie` instead of `\\u00f3wienie`')
})

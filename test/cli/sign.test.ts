import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import type { Environment } from '../../src/cli/terminal.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'

const checkout = '{"currencyId":"usd_us","fiatAmount":"10.00","requestId":"order-1"}'

async function sign(
  argv: readonly string[],
  { env = {}, input }: { env?: Environment; input?: string } = {},
) {
  const terminal = new FakeTerminal(env, input === undefined ? {} : { input })
  const exitCode = await run(['sign', ...argv], terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

async function signatures(argv: readonly string[], context = {}) {
  const { out } = await sign([...argv, '--json'], context)
  return JSON.parse(out).signatures
}

const hmac = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64')

test('a checkout is signed in both forms, with the secret of the demo client', async () => {
  const short = 'fiatAmount=10.00&requestId=order-1'
  const long = `currencyId=usd_us&${short}`
  expect(await signatures([checkout])).toEqual([
    { form: 'short', stringToSign: short, signature: hmac(short, 'demo-secret') },
    { form: 'with-currency', stringToSign: long, signature: hmac(long, 'demo-secret') },
  ])
})

test.each([
  ['"interval":"month"', '&interval=month'],
  ['"interval":"month","trialPeriodDays":"7"', '&interval=month&trialPeriodDays=7'],
  ['"interval":"month","trialPeriodDays":""', '&interval=month'],
])('a body with %s is that of a subscription', async (members, end) => {
  const [only, ...others] = await signatures([checkout.replace('}', `,${members}}`)])
  expect(others).toEqual([])
  expect(only.stringToSign).toBe(`currencyId=usd_us&fiatAmount=10.00&requestId=order-1${end}`)
})

test.each([
  ['"10.00"', '10.00', ''],
  ['10.00', '10.00', 'note: fiatAmount is 10.00 in the body'],
  ['1e1', '1e1', 'note: fiatAmount is 1e1'],
  ['"1\\u0030"', '10', ''],
])('an amount written %s is signed as %s', async (written, signed, note) => {
  const { out, err } = await sign([checkout.replace('"10.00"', written)])
  expect(out).toContain(`string to sign  fiatAmount=${signed}&requestId=order-1`)
  expect(err).toContain(note)
})

test('of a member that stands there twice the last one is signed', async () => {
  const [{ stringToSign }] = await signatures([checkout.replace('}', ',"requestId":"order-2"}')])
  expect(stringToSign).toBe('fiatAmount=10.00&requestId=order-2')
})

test('the body may be in a file or come from standard input', async () => {
  const file = join(aFolder(), 'order.json')
  writeFileSync(file, `${checkout}\n`)
  const direct = await signatures([checkout])
  expect(await signatures([file])).toEqual(direct)
  expect(await signatures([], { input: checkout })).toEqual(direct)
  expect(await signatures(['-'], { input: checkout })).toEqual(direct)
})

test('a byte order mark is left out, and told', async () => {
  const { out, err } = await sign(['-', '--curl'], { input: `\uFEFF${checkout}` })
  expect(out).toContain('string to sign  fiatAmount=10.00&requestId=order-1')
  expect(out).not.toContain('\uFEFF')
  expect(err).toContain('note: the body begins with a byte order mark')
})

test.each(['', '\n'])('standard input that holds %j is no body', async (input) => {
  const { exitCode, err } = await sign([], { input })
  expect([exitCode, err]).toEqual([2, 'error: no body; pass JSON or a file, or pipe the body in'])
})

test.each<[readonly string[], Environment, string]>([
  [['--secret', 'a'], { PAYMENT_ORDER_API_SECRET: 'b', EMULATOR_API_SECRET: 'c' }, 'a'],
  [[], { PAYMENT_ORDER_API_SECRET: 'b', EMULATOR_API_SECRET: 'c' }, 'b'],
  [[], { EMULATOR_API_SECRET: 'c' }, 'c'],
])('%j with %j signs with %s', async (argv, env, secret) => {
  const [{ stringToSign, signature }] = await signatures([checkout, ...argv], { env })
  expect(signature).toBe(hmac(stringToSign, secret))
})

test.each(['short', 'with-currency'])('the service takes what --curl sends under --form %s', async (form) => {
  const { url } = await startForTest({ clock: 'manual', settings: { 'signature.checkout': form } })
  const body = checkout.replace('}', ',"email":"o\'b@example.com","clientId":"demo-client"}')
  const { out } = await sign([body, '--curl', '--form', form, '--url', url])
  const parts = out.split('\n\n').at(-1) ?? ''
  const words = [...parts.matchAll(/'((?:[^']|'\\'')*)'/g)].map(([, word = '']) =>
    word.replaceAll(`'\\''`, "'"),
  )
  const [, address = '', ...rest] = words
  const headers = rest.slice(0, 3).map((header): [string, string] => {
    const [name = '', ...value] = header.split(': ')
    return [name, value.join(': ')]
  })
  const answer = await fetch(address, { method: 'POST', headers, body: rest[3] ?? '' })
  expect(answer.status).toBe(200)
})

test.each([
  [['{"fiatAmount":"1"}'], 'error: the body has no currencyId and no requestId; the signature covers it'],
  [['[1]'], 'error: the body must be a JSON object'],
  [['{"a":'], 'error: the body is not JSON: '],
  [['nowhere.json'], 'error: "nowhere.json" is neither JSON nor a readable file'],
  [[], 'error: no body; pass JSON or a file, or pipe the body in'],
  [[checkout, '--form', 'long'], 'Allowed choices are short, with-currency'],
  [[checkout, 'again'], 'too many arguments'],
])('%j is wrong usage', async (argv, words) => {
  expect(await sign(argv)).toEqual({ exitCode: 2, out: '', err: expect.stringContaining(words) })
})

import { expect, test } from 'vitest'
import { isAllowRule, Targets } from '../../src/webhooks/targets.ts'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'

const at = (address: string, host = address, port = 80) => ({ host, address, port })

test.each(['app.test', 'my_app', '10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'])('%s is a rule', (rule) => {
  expect(isAllowRule(rule)).toBe(true)
})

test.each([
  '',
  'http://app.test',
  'app.test:80',
  '10.0.0.0/33',
  '10.0.0.0/',
  'a/8',
  '1/2/3',
  '10.0.0.300',
  '::1/129',
  'a b',
])('%j is no rule', (rule) => {
  expect(isAllowRule(rule)).toBe(false)
})

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['10.1.2.3', 'anything.test'],
  ['::ffff:10.1.2.3', '::ffff:10.1.2.3'],
  ['192.168.0.9', 'App.test'],
  ['fd00::5', 'fd00::5'],
])('%s, named %s, is within the rules', (address, host) => {
  const targets = new Targets(['10.0.0.0/8', 'app.test', 'fd00::/8'])
  expect(targets.problemWith(at(address, host))).toBeUndefined()
})

test.each([
  ['11.1.2.3', '11.1.2.3'],
  ['127.0.0.1', 'localhost'],
  ['192.168.0.9', 'app.test.evil'],
  ['::1', '::1'],
])('%s, named %s, is not', (address, host) => {
  const targets = new Targets(['10.0.0.0/8', 'app.test'])
  expect(targets.problemWith(at(address, host))).toMatch(/is not in --webhook-allow$/)
})

test.each([
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  'fd00:ec2::254',
  'FD00:EC2:0:0:0:0:0:254',
  'fd20:ce::254',
  'fd00:42::42',
  'fd00:c1::a9fe:a9fe',
  '::ffff:0:a9fe:a9fe',
  '100.100.100.200',
  '192.0.0.192',
])('nothing ever goes to %s, whatever is allowed and whatever it is called', (address) => {
  const targets = new Targets([address, 'metadata.test'])
  expect(targets.problemWith(at(address, 'metadata.test'))).toMatch(
    /of cloud machines, which contains secrets/,
  )
})

test.each([
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '127.0.0.2', false],
  ['127.0.0.1', '10.0.0.5', false],
  ['127.0.0.1', '0.0.0.0', true],
  ['127.0.0.1', '::ffff:0.0.0.0', true],
  ['::1', '::', true],
  ['10.0.0.5', '0.0.0.0', false],
  ['0.0.0.0', '127.0.0.1', true],
  ['0.0.0.0', '::1', true],
  ['::', '127.9.9.9', true],
  ['0.0.0.0', '203.0.113.9', false],
])('listening at %s, its port at %s is itself: %s', (own, address, itself) => {
  const targets = new Targets()
  targets.setOwn(own, 4600)
  const problem = targets.problemWith(at(address, 'x.test', 4600))
  expect(problem !== undefined).toBe(itself)
  expect(targets.problemWith(at(address, 'x.test', 4601)), 'another port is another program').toBeUndefined()
})

test.each(['metadata.google.internal', 'Metadata.Google.Internal.', 'instance-data.ec2.internal'])(
  'nothing goes to %s, whatever it resolves to',
  (host) => {
    expect(new Targets().problemWith(at('10.0.0.1', host))).toMatch(
      /of cloud machines, which contains secrets/,
    )
  },
)

test.each([
  '169.254.0.0',
  '169.254.42.42',
  '169.254.0.23',
  '169.254.255.255',
  'fe80::',
  'fe80::a9fe:a9fe',
  'FE80:0:0:0:0:0:0:1',
  'fe80::1%eth0',
  'febf:ffff::1',
  '::ffff:169.254.42.42',
  '::ffff:0:169.254.42.42',
  '::169.254.42.42',
  '64:ff9b::169.254.42.42',
  '2002:a9fe:2a2a::1',
])('%s is link-local: nothing goes there, unless it is named', (address) => {
  expect(new Targets().problemWith(at(address, 'app.test'))).toMatch(
    /^app\.test \(.+\) is a link-local address.+only if --webhook-allow names it$/,
  )
  expect(new Targets(['10.0.0.0/8']).problemWith(at(address, 'app.test'))).toMatch(/not in --webhook-allow$/)
  const bare = address.replace('%eth0', '')
  for (const rule of [bare, `${bare}/${address.includes(':') ? 64 : 16}`, 'app.test'])
    expect(new Targets([rule]).problemWith(at(address, 'app.test')), rule).toBeUndefined()
})

test('naming a link-local range lets nobody at the secrets of cloud machines', () => {
  const targets = new Targets(['169.254.0.0/16', 'fe80::/10'])
  expect(targets.problemWith(at('169.254.169.254'))).toMatch(/never sent there$/)
  expect(targets.problemWith(at('169.254.42.42'))).toBeUndefined()
  expect(targets.problemWith(at('10.0.0.1'))).toMatch(/not in --webhook-allow$/)
})

test.each([
  '169.253.255.255',
  '169.255.0.0',
  'fec0::1',
  'fe7f::1',
  '2002:7f00:1::1',
  '64:ff9b::808:808',
  '2001:db8::a9fe:a9fe',
])('%s is an address like any other', (address) => {
  expect(new Targets().problemWith(at(address))).toBeUndefined()
})

test.each([
  'http://169.254.169.254/latest',
  'http://2852039166/latest',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://169.254.169.254./',
  'http://169%2E254%2E169%2E254/',
  'http://①⑥⑨.254.169.254/',
  'http://[::ffff:169.254.169.254]/',
  'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[::ffff:0:a9fe:a9fe]/',
  'http://[fe80::a9fe:a9fe]/',
  'http://169.254.42.42/',
  'http://0xa9fe0017/',
  'http://[fd00:ec2:0::254]:80/',
  'https://169.254.169.254:443/',
])('%s is refused when it would be connected to', async (url) => {
  expect(await firstAttempt(url)).toMatchObject([
    {
      outcome: 'connection',
      error: expect.stringMatching(/cloud machines(, which contains| use for) secrets/),
    },
  ])
})

test.each([
  'http://127.1',
  'http://2130706433',
  'http://0x7f.1',
  'http://0',
  'http://[::ffff:7f00:1]',
  'http://localhost',
])('the emulator is itself as %s too', async (host) => {
  const emulator = await startTestEmulator()
  const { port } = new URL(emulator.url)
  const client = await emulator.addClient({ webhookUrl: `${host}:${port}/_emulator/reset` })
  await client.createCheckout('r1')
  await client.settle()
  const [attempt] = Object((await client.deliveries())[0]).attempts
  // A name may resolve to an address on which the emulator does not listen.
  expect(attempt.error).toMatch(/is the emulator itself|ECONNREFUSED/)
})

/** The result of the first attempt to send to a URL. */
async function firstAttempt(webhookUrl: string, webhookAllow: string[] = []) {
  const { c1 } = await startFixture({ webhookUrl }, { webhookAllow })
  await c1.createCheckout('r1')
  await c1.settle()
  const [delivery] = await c1.deliveries()
  return delivery?.attempts
}

test('a name is judged by what it resolves to', async () => {
  const receiver = await startReceiver()
  const url = receiver.url.replace('127.0.0.1', 'localhost')
  expect(await firstAttempt(url, ['10.0.0.0/8'])).toMatchObject([
    { outcome: 'connection', error: expect.stringMatching(/^localhost \(.+\) is not in --webhook-allow$/) },
  ])
  expect(receiver.requests).toEqual([])
  expect(await firstAttempt(url, ['127.0.0.0/8'])).toMatchObject([{ outcome: 'accepted' }])
  expect(await firstAttempt(url, ['LOCALHOST'])).toMatchObject([{ outcome: 'accepted' }])
})

test('an address is judged too, though nothing is looked up', async () => {
  const receiver = await startReceiver()
  expect(await firstAttempt(receiver.url, ['10.0.0.0/8'])).toMatchObject([
    { outcome: 'connection', error: '127.0.0.1 is not in --webhook-allow' },
  ])
  expect(receiver.requests).toEqual([])
})

test('the emulator sends no webhook to itself', async () => {
  const emulator = await startTestEmulator()
  const client = await emulator.addClient({ webhookUrl: `${emulator.url}/_emulator/reset` })
  await client.createCheckout('r1')
  await client.settle()
  expect(await client.deliveries()).toMatchObject([
    { attempts: [{ outcome: 'connection', error: expect.stringContaining('is the emulator itself') }] },
  ])
})

test('a name that resolves to nothing is a connection error with its cause', async () => {
  expect(await firstAttempt('http://nothing.invalid/', ['10.0.0.0/8'])).toMatchObject([
    { outcome: 'connection', error: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) },
  ])
})

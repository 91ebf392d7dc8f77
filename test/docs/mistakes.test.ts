import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { paths, type TestClient } from '../support/client.ts'
import { startTestEmulator } from '../support/emulator.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/other-languages.md'), 'utf8')
const emulator = await startTestEmulator({}, afterAll)

const requestId = 'a2c4e6f8-pedido-ñ 1'
const text = `fiatAmount=10.00&requestId=${requestId}`
const digestOf = (signed: string | Buffer, key: string) => createHmac('sha256', key).update(signed)
/** Signs another text than the right one. */
const signing = (signed: string | Buffer) => (client: TestClient) => ({
  headers: { signature: digestOf(signed, client.apiSecret).digest('base64') },
})
/** Writes the right signature in another way. */
const writing = (write: (digest: Buffer) => string) => (client: TestClient) => ({
  headers: { signature: write(digestOf(text, client.apiSecret).digest()) },
})

interface Mistake {
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: string
  readonly path?: string
}

/** Each mistake of the table as a program makes it, by its words there. */
const mistakes: Readonly<Record<string, (client: TestClient, body: string) => Mistake>> = {
  'the amount is formatted twice': signing(text.replace('10.00', '10')),
  'the amount is a JSON number': (_, body) => ({ body: body.replace('"10.00"', '10.00') }),
  'hex instead of base64': writing((digest) => digest.toString('hex')),
  'base64 of hex digits': writing((digest) => Buffer.from(digest.toString('hex')).toString('base64')),
  'URL-safe base64': writing((digest) => `${digest.toString('base64url')}=`),
  'no padding': writing((digest) => digest.toString('base64').replace(/=+$/, '')),
  '`+` in the signature became a space': writing((digest) => digest.toString('base64').replaceAll('+', ' ')),
  'encoded values are signed': signing(text.replace(requestId, encodeURIComponent(requestId))),
  'escaped values are signed': signing(text.replace('ñ', '\\u00f1')),
  'the wrong character encoding is signed': signing(Buffer.from(text, 'latin1')),
  'another Unicode form is signed': signing(text.normalize('NFD')),
  'the requestId changes case': signing(text.replace(requestId, requestId.toUpperCase())),
  'a field is empty when signed': signing(text.replace(requestId, '')),
  'a trial of 0 days is left out': (client) => ({
    path: paths.subscription,
    body: JSON.stringify(client.subscription(requestId, { trialPeriodDays: '0' })),
    ...signing(`currencyId=usd_us&fiatAmount=1.00&requestId=${requestId}&interval=MONTHLY`)(client),
  }),
  'the body is signed': (client, body) => signing(body)(client),
  'a line end is signed': signing(`${text}\n`),
  'the secret has a line end': ({ apiSecret }) => ({
    headers: { signature: digestOf(text, `${apiSecret}\n`).digest('base64') },
  }),
  'the token is sent as `Bearer`': ({ accessToken }) => ({
    headers: { 'access-token': null, authorization: `Bearer ${accessToken}` },
  }),
  'no `Content-Type`': () => ({ headers: { 'content-type': null } }),
  'a byte order mark': (_, body) => ({ body: `\uFEFF${body}` }),
}

const [, table = ''] = page.split('## What goes wrong')
const rows = [...table.matchAll(/^\| (.+?) \| .+? \| (`.*`) \|$/gm)].map(([, mistake = '', causes = '']) => ({
  mistake,
  causes: [...causes.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
}))

test.each(rows)('the request log says of “$mistake” what the page says', async ({ mistake, causes }) => {
  // With it the right signature has `+`, `/` and `=`.
  const client = await emulator.addClient({ apiSecret: 'secret-5' })
  const right = JSON.stringify(client.checkout(requestId))
  const { path = paths.checkout, body = right, headers = {} } = mistakes[mistake]?.(client, right) ?? {}
  const answer = await client.post(path, body, { signed: text, headers })
  const { diagnosis } = await client.journalOf(answer)
  expect(causes).toContain(Object(diagnosis).cause)
})

test('every mistake that is made here is on the page', () => {
  expect(rows.map(({ mistake }) => mistake).toSorted()).toEqual(Object.keys(mistakes).toSorted())
})

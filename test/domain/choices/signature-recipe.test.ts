import { describe, expect, test } from 'vitest'
import { readSettingsFile } from '../../../src/domain/choices/read-settings.ts'

function problemsOf(lines: readonly string[]) {
  const text = ['webhook:', ...lines.map((line) => `  ${line}`)].join('\n')
  const reading = readSettingsFile(text, 'pay.yaml')
  return 'problems' in reading ? reading.problems : []
}

const recipe = (...members: string[]) => [
  'signature:',
  '  header: X-Sign',
  ...members.map((one) => `  ${one}`),
]

test.each([
  [recipe()],
  [recipe("format: 't=${timestamp},v1=${signature}'", "signed: '${timestamp}.${body}'")],
  [recipe("signed: '${id}.${timestamp}.${body}'", "headers: { X-Id: '${id}', X-Time: '${timestamp}' }")],
  [recipe("format: 'sha256=${signature:upper}'", 'algorithm: HMAC-SHA256', 'encoding: hex')],
  [recipe("signed: '${bodyHash}'", "headers: { Digest: 'sha-256=${bodyHash}' }")],
])('%j is a recipe', (lines) => {
  expect(problemsOf(lines)).toEqual([])
})

describe('a recipe that cannot verify is refused with line and column', () => {
  test.each([
    ['no body', recipe("signed: 'x'"), 4, /needs `\$\{body\}` or `\$\{bodyHash\}`/],
    ['no signature', recipe("format: 'v1'"), 4, /needs `\$\{signature\}` exactly once, not nowhere/],
    ['two signatures', recipe("format: '${signature},${signature}'"), 4, /exactly once, not 2 times/],
    [
      'a time that is not sent',
      recipe("signed: '${timestamp}.${body}'"),
      4,
      /names \$\{timestamp\}, which no header sends/,
    ],
    ['an id that is not sent', recipe("signed: '${id}.${body}'"), 4, /names \$\{id\}, which no header sends/],
    ['an unknown encoding', recipe('encoding: base65'), 4, /expected `hex`, `base64` or `base64url`/],
    ['an unknown algorithm', recipe('algorithm: md5'), 4, /expected `sha256`, `sha384`, `sha512` or `sha1`/],
    ['an unknown secret', recipe('secret: password'), 4, /expected `webhook-secret` or `api-secret`/],
    ['an unknown key', recipe('secretAs: binary'), 4, /expected `text`, `base64` or `hex`/],
    ['a time in minutes', recipe('timestamp: minutes'), 4, /expected `seconds`, `milliseconds` or `iso`/],
    ['a mistyped field', recipe('heders: {}'), 4, /did you mean `headers`/],
    ['a value that nothing fills', recipe("format: '${signatur}'"), 4, /did you mean `signature`/],
    [
      'a format that changes the time',
      recipe("format: '${timestamp:8};${signature}'"),
      4,
      /leave the format out/,
    ],
    ['nothing between two values', recipe("format: '${timestamp}${signature}'"), 4, /cannot be read back/],
    ['a letter that the value may have', recipe("format: '${signature}a${timestamp}'"), 4, /stands `a`/],
    ['two headers of one name', recipe("headers: { X-A: '1', x-a: '2' }"), 4, /is the name of two headers/],
    [
      'the header of the signature twice',
      recipe("headers: { x-sign: '1' }"),
      4,
      /is the header of the signature/,
    ],
    [
      'a header of HTTP',
      recipe("headers: { Content-Length: '1' }"),
      4,
      /HTTP or the emulator sets Content-Length/,
    ],
    ['no header name', recipe("headers: { 'X Sign': '1' }"), 4, /must be a header name/],
    ['a line end in a header', recipe('format: "a\\n${signature}"'), 4, /must be printable ASCII/],
    [
      'a key id that is not given',
      recipe("format: '${keyId}=${signature}'"),
      3,
      /names `\$\{keyId\}`, which has no value/,
    ],
    ['a separator of letters', recipe('separator: and'), 4, /must be one to three of comma/],
    ['no recipe', ['signature: sha256'], 2, /expected an object/],
    ['the header of HTTP itself', ['signature: { header: host }'], 2, /HTTP or the emulator sets host/],
    [
      'both settings',
      [...recipe(), 'auth: none'],
      4,
      /`webhook.auth` has no effect beside `webhook.signature`/,
    ],
  ])('%s', (_, lines, line, words) => {
    expect(problemsOf(lines)).toMatchObject([
      { line, column: expect.any(Number), message: expect.stringMatching(words) },
    ])
  })
})

describe('the form of a token', () => {
  test.each([
    [['jwt: { member: token, iat: true, exp: 5m, jti: true, kid: key-1, algorithm: HS512 }']],
    [["jwt: { header: X-Token, claims: { sub: '${orderId}', iss: pay } }"]],
    [['jwt: { secret: webhook-secret, secretAs: base64 }']],
  ])('%j is one', (lines) => {
    expect(problemsOf(lines)).toEqual([])
  })

  test.each([
    ['jwt: { member: token, header: x-token }', /cannot stand beside `member`/],
    ['jwt: { claims: [1] }', /must be an object: the claims of a JWT have names/],
    ["jwt: { claims: { sub: '${orderid}' } }", /did you mean `orderId`/],
    ['jwt: { exp: 5 }', /duration/],
    ['jwt: { exp: 5ms }', /must be at least 1s/],
    ['jwt: { algorithm: RS256 }', /must be the PEM text of a private RSA key/],
    ['jwt: { header: host }', /HTTP or the emulator sets host/],
  ])('%s is none', (line, words) => {
    expect(problemsOf([line])).toMatchObject([{ line: 2, message: expect.stringMatching(words) }])
  })
})

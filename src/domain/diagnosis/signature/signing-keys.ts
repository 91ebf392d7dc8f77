import type { Mistake } from '../mistake.ts'

/** A key that may have been used instead of the client's API secret. */
export interface SigningKey {
  readonly key: string | Buffer
  readonly mistake: Mistake
  /** Whether it often occurs together with a mistake in the text. */
  readonly usual: boolean
}

/** The credentials of a client that can be confused with each other. */
export interface Credentials {
  readonly clientId: string
  readonly apiSecret: string
  readonly accessToken: string
  readonly webhookSecret: string
}

/** Keys that programs use by mistake. The description names the key and never shows it. */
export function wrongKeys(client: Credentials): SigningKey[] {
  const { apiSecret, accessToken, webhookSecret, clientId } = client
  const usual = [
    ...(apiSecret.trim() === apiSecret ? [] : [altered(apiSecret.trim(), 'without the spaces around it')]),
    altered(`${apiSecret}\n`, 'with a line break after it (from a file or from `echo`)'),
    ...decodings(apiSecret),
  ]
  const rare = [
    altered(`${apiSecret}\r\n`, 'with a line break after it'),
    altered(` ${apiSecret}`, 'with a space before it'),
    altered(`${apiSecret} `, 'with a space after it'),
    altered(`"${apiSecret}"`, 'with quotes around it'),
    altered(Buffer.from(apiSecret).toString('base64'), 'base64-encoded; use it as it is'),
    altered(Buffer.from(apiSecret).toString('hex'), 'hex-encoded; use it as it is'),
    altered(apiSecret.toLowerCase(), 'in lower case'),
    altered(apiSecret.toUpperCase(), 'in upper case'),
    altered(`${apiSecret}&`, 'with an & after it (as in OAuth 1)'),
    wrong(accessToken, 'signature.key-access-token', 'the access token'),
    wrong(webhookSecret, 'signature.key-webhook-secret', 'the webhook secret'),
    wrong(webhookSecret.replace(/^whsec_/, ''), 'signature.key-webhook-secret', 'the webhook secret'),
    wrong(
      Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64'),
      'signature.key-webhook-secret',
      'the webhook secret',
    ),
    wrong(clientId, 'signature.key-client-id', 'the clientId'),
    wrong('', 'signature.key-empty', 'an empty key (check the setting with the secret)'),
    wrong('undefined', 'signature.key-empty', '`undefined` (check the setting with the secret)'),
    wrong('null', 'signature.key-empty', '`null` (check the setting with the secret)'),
  ]
  return [...usual.map((key) => ({ ...key, usual: true })), ...rare].filter(({ key }) => key !== apiSecret)
}

/** The secrets of other clients, for messages that name the client. */
export function secretsOfOthers(others: Iterable<Pick<Credentials, 'clientId' | 'apiSecret'>>): SigningKey[] {
  return [...others].map(({ clientId, apiSecret }) =>
    wrong(
      apiSecret,
      'signature.key-other-client',
      `the API secret of the client ${JSON.stringify(clientId)}`,
    ),
  )
}

/** The bytes of a secret that is taken for an encoding. */
function decodings(apiSecret: string): SigningKey[] {
  const bare = apiSecret.trim()
  const body = bare.replace(/=+$/, '')
  return [
    ...(/^(?:[0-9a-f]{2})+$/i.test(bare)
      ? [altered(Buffer.from(bare, 'hex'), 'hex-decoded; use its text as it is')]
      : []),
    ...(/^[\w+/-]{2,}$/.test(body)
      ? [altered(Buffer.from(bare, 'base64'), 'base64-decoded; use its text as it is')]
      : []),
  ]
}

const altered = (key: string | Buffer, how: string): SigningKey => ({
  key,
  mistake: { cause: 'signature.key-altered', words: `your key is the API secret ${how}` },
  usual: false,
})

const wrong = (key: string | Buffer, cause: Mistake['cause'], what: string): SigningKey => ({
  key,
  mistake: { cause, words: `your key is ${what}, not this client's API secret` },
  usual: false,
})

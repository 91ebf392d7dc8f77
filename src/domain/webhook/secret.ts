import { createHash } from 'node:crypto'

/** The two secrets of a client that can be the key of a signature. */
export const secretNames = ['webhook-secret', 'api-secret'] as const
export type SecretName = (typeof secretNames)[number]

/** How a secret is read into the bytes of a key. `base64` and `hex` ignore a `whsec_` in front. */
export const secretForms = ['text', 'base64', 'hex'] as const
export type SecretForm = (typeof secretForms)[number]

/** The secret of a signature, and how it is read. */
export interface SecretChoice {
  readonly secret: SecretName
  readonly secretAs: SecretForm
}

/** The secrets of a client. */
export interface ClientSecrets {
  readonly webhookSecret: string
  readonly apiSecret: string
}

/** The names of the secrets in the control API and in the library. */
export const secretFields = { 'webhook-secret': 'webhookSecret', 'api-secret': 'apiSecret' } as const

const bare = (secret: string): string => secret.replace(/^whsec_/, '')

/** The bytes of a key. */
export const keyBytes = (secret: string, form: SecretForm): Buffer =>
  form === 'text' ? Buffer.from(secret, 'utf8') : Buffer.from(bare(secret), form)

const written: Readonly<Record<SecretForm, RegExp>> = {
  text: /./s,
  base64: /^(?=.)(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}(?:==)?|[A-Za-z\d+/]{3}=?)?$/,
  hex: /^(?:[\da-f]{2})+$/i,
}

/** Whether a text is a key in a form. */
export const isReadable = (secret: string, form: SecretForm): boolean => written[form].test(bare(secret))

/** Describes why a client's secret is no key; undefined if it is one. */
export function unreadableKey(
  { secret, secretAs }: SecretChoice,
  secrets: ClientSecrets,
): string | undefined {
  const field = secretFields[secret]
  if (isReadable(secrets[field], secretAs)) return undefined
  return `reads the ${field} as ${secretAs}, and this one is not ${secretAs}; set another ${field}, or another \`secretAs\``
}

/** Returns a wrong secret for forged signatures; the same secret always gives the same one. */
function wrongKey(secret: string): string {
  return createHash('sha256').update(`not ${secret}`).digest('base64')
}

/** Returns a webhook secret that the client never had; the same secret always gives the same one. */
const foreignSecret = (webhookSecret: string): string => `whsec_${wrongKey(webhookSecret)}`

/** Returns a secret that the client never had, in the form that a signature needs. */
export function foreignFor({ secret: name, secretAs }: SecretChoice, secret: string): string {
  const foreign = name === 'api-secret' ? wrongKey(secret) : foreignSecret(secret)
  return secretAs === 'hex' ? `whsec_${Buffer.from(bare(foreign), 'base64').toString('hex')}` : foreign
}

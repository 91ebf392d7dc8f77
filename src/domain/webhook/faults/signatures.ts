import * as z from 'zod'
import { hasVersion, type OneSignature } from '../signed-headers.ts'
import { type SecretName, secretNames, webhookFault } from './fault.ts'

/** The maximum number of signatures of a webhook. */
const most = 10

/** The only version that receivers know: symmetric signatures of Standard Webhooks. */
const knownVersion = 'v1'

/** A fault that lists the signatures of a webhook: from which secrets, under which versions, and in which order. It
 *  has an effect where webhooks can carry several, as standard ones do (N38, N73). */
export const signatures = webhookFault({
  stored: {
    signatures: z.array(z.enum(secretNames)).optional(),
    signatureVersions: z.array(z.string()).optional(),
  },
  written: {
    signatures: z.array(z.enum(secretNames)).min(1).max(most).optional().meta({
      description:
        'The signatures of the webhook, in this order: with the current secret, the one before it, or a foreign one that the client never had.',
    }),
    signatureVersions: z
      .array(
        z
          .string()
          .regex(
            /^v[1-9]\d?[a-z]?$/,
            `must be \`${knownVersion}\`, or a version that no receiver knows, such as \`v9\``,
          ),
      )
      .min(1)
      .max(most)
      .optional()
      .meta({
        description: `The version of each signature in \`signatures\`; \`${knownVersion}\` if left out. Receivers ignore versions that they do not know, such as \`v9\`.`,
      }),
  },
  read: ({ signatures, signatureVersions }) => ({ signatures, signatureVersions }),
  sentences: (fault) => {
    const sent = listed(fault)
    if (sent === null) return []
    const each = sent.map(({ name, version }) => `${version} ${secretWords[name]}`)
    return [`Its signatures, in this order: ${each.join(', ')}.`]
  },
  problems: ({ signatures, signatureVersions }) => {
    if (signatureVersions === undefined) return []
    const path = ['signatureVersions']
    if (signatures === undefined) return [{ path, message: 'needs `signatures`' }]
    if (signatures.length === signatureVersions.length) return []
    const message = `has ${signatureVersions.length} versions for ${signatures.length} signatures; give one for each`
    return [{ path, message }]
  },
  signing: (signing, fault) => {
    const sent = listed(fault)
    if (sent === null) return signing
    // Where signatures have no version, one under an unknown version cannot be told from a genuine one.
    const expressible = sent.filter(({ version }) => version === knownVersion || hasVersion(signing.recipe))
    const signatures = expressible.map(
      ({ name, version }): OneSignature => ({ version, secret: signing.secrets[name] }),
    )
    return { ...signing, signatures }
  },
})

interface Signatures {
  readonly signatures?: readonly SecretName[] | undefined
  readonly signatureVersions?: readonly string[] | undefined
}

const secretWords = {
  current: 'with the current secret',
  previous: 'with the previous secret',
  foreign: 'with a foreign secret',
} as const

/** The signatures of a fault with their versions; null if the fault lists none. */
const listed = ({ signatures, signatureVersions = [] }: Signatures) =>
  signatures?.map((name, index) => ({ name, version: signatureVersions[index] ?? knownVersion })) ?? null

/** Whether a receiver has to accept the signatures of an attempt. The previous secret counts, because receivers have
 *  to accept it until the overlap of a rotation has passed. */
export const haveValidSignature = (fault: Signatures): boolean =>
  listed(fault)?.some(({ name, version }) => name !== 'foreign' && version === knownVersion) ?? true

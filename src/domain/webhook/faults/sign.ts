import * as z from 'zod'
import { foreignFor } from '../secret.ts'
import { webhookFault } from './fault.ts'

const tenMinutesMs = 600_000

/** A fault that signs a webhook with another key, with an old timestamp, or not at all. */
export const sign = webhookFault({
  stored: {
    sign: z.enum(['right', 'wrong', 'none']).optional(),
    timestampMs: z.int().optional(),
  },
  written: {
    sign: z
      .union([z.boolean(), z.enum(['wrong', 'old'])])
      .optional()
      .meta({
        description:
          'false: no signature. wrong: signed with another key. old: valid, but signed ten minutes ago.',
      }),
  },
  read: ({ sign }) =>
    sign === undefined
      ? {}
      : { sign: stored[`${sign}`], ...(sign === 'old' && { timestampMs: -tenMinutesMs }) },
  sentences: ({ sign }) => {
    if (sign === 'wrong') return ['Signed with another key.']
    return sign === 'none' ? ['Sent without a signature.'] : []
  },
  signing: (signing, { sign }) => ({
    ...signing,
    ...(sign === 'none' && { signed: false }),
    ...(sign === 'wrong' && {
      signatures: signing.signatures.map((signature) => ({
        ...signature,
        secret: foreignFor(signing.recipe, signature.secret),
      })),
    }),
  }),
})

const stored = { true: 'right', false: 'none', wrong: 'wrong', old: 'right' } as const

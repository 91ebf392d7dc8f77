import * as z from 'zod'
import { type Placeholders, textTemplate } from '../text/template.ts'
import { recipeProblems } from './recipe-problems.ts'
import { secretForms, secretNames } from './secret.ts'

/** The values of the text that is signed. */
const signedValues = {
  values: {
    timestamp: 'text',
    id: 'text',
    body: 'text',
    bodyHash: 'text',
    keyId: 'text',
    clientId: 'text',
    url: 'text',
  },
} as const satisfies Placeholders

/** The values of the header with the signature. */
const formatValues = {
  values: { signature: 'text', timestamp: 'text', id: 'text', keyId: 'text' },
} as const satisfies Placeholders

/** The values of the other headers. */
const headerValues = {
  values: { timestamp: 'text', id: 'text', bodyHash: 'text', keyId: 'text', clientId: 'text' },
} as const satisfies Placeholders

/** How a time is written. */
const timeForms = ['seconds', 'milliseconds', 'iso'] as const

const hashes = ['sha256', 'sha384', 'sha512', 'sha1'] as const

/** Reads a hash by any name that documents use for it: `SHA-256`, `HMAC-SHA256`, `HS256`. */
const algorithm = z.preprocess(
  (name) =>
    typeof name === 'string'
      ? name
          .toLowerCase()
          .replace(/^hmac[-_ ]?/, '')
          .replace(/^hs/, 'sha')
          .replace(/^sha[-_ ]/, 'sha')
      : name,
  z.enum(hashes),
)

/** Headers that HTTP or the emulator sets. */
const taken = [
  ...[
    'connection',
    'content-encoding',
    'content-length',
    'content-type',
    'expect',
    'host',
    'keep-alive',
    'te',
  ],
  ...['trailer', 'transfer-encoding', 'upgrade', 'user-agent'],
]

/** Schema of the name of a header that a setting may add to webhooks. */
export const headerName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be a header name of letters, digits and -')
  .refine((name) => !taken.includes(name.toLowerCase()), {
    error: ({ input }) => `must be another header: HTTP or the emulator sets ${input}`,
  })

export const inLowerCase = (name: string): string => name.toLowerCase()

/** Headers by name. The names become lower case, as in HTTP/2. */
const headers = z.record(headerName, textTemplate(headerValues)).transform((written, context) => {
  const names = Object.keys(written)
  for (const [index, name] of names.entries())
    if (names.findIndex((other) => inLowerCase(other) === inLowerCase(name)) < index)
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'is the name of two headers; keep one of them',
      })
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [inLowerCase(name), value]))
})

/** Schema of a recipe for signatures: what is signed, with which key, and in which header. */
export const signatureRecipe = z
  .strictObject({
    header: headerName.transform(inLowerCase),
    format: textTemplate(formatValues).default('${signature}'),
    signed: textTemplate(signedValues).default('${body}'),
    algorithm: algorithm.default('sha256'),
    encoding: z.enum(['hex', 'base64', 'base64url']).default('hex'),
    secret: z.enum(secretNames).default('webhook-secret'),
    secretAs: z.enum(secretForms).default('text'),
    timestamp: z.enum(timeForms).default('seconds'),
    headers: headers.default({}),
    keyId: z
      .string()
      .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, full stops, _ and -')
      .optional(),
    rotation: z.enum(['both', 'new-only']).default('both'),
    separator: z
      .string()
      .regex(/^[ ,;|&]{1,3}$/, 'must be one to three of comma, semicolon, space, | and &')
      .default(','),
  })
  .superRefine((recipe, context) => {
    // A mistyped placeholder is reported once.
    if (context.issues.length > 0) return
    for (const { path, message } of recipeProblems(recipe))
      context.addIssue({ code: 'custom', path: [...path], message })
  })

/** A recipe for signatures. The names of headers are in lower case. */
export type Recipe = z.output<typeof signatureRecipe>

/** The recipes with a name, as values of `webhook.auth` (N38). */
const ready = {
  standard: {
    header: 'webhook-signature',
    format: 'v1,${signature}',
    signed: '${id}.${timestamp}.${body}',
    algorithm: 'sha256',
    encoding: 'base64',
    secret: 'webhook-secret',
    secretAs: 'base64',
    timestamp: 'seconds',
    headers: { 'webhook-id': '${id}', 'webhook-timestamp': '${timestamp}' },
    rotation: 'both',
    separator: ' ',
  },
  'hmac-body': {
    header: 'signature',
    format: '${signature}',
    signed: '${body}',
    algorithm: 'sha256',
    encoding: 'base64',
    secret: 'api-secret',
    secretAs: 'text',
    timestamp: 'seconds',
    headers: {},
    rotation: 'new-only',
    separator: ',',
  },
  none: null,
} as const satisfies Readonly<Record<string, Recipe | null>>

/** The settings that decide about signatures. */
export interface SignatureSettings {
  readonly 'webhook.auth': keyof typeof ready
  readonly 'webhook.signature': Recipe | null
}

/** The recipe of some settings; null if webhooks are not signed (N38, N73). */
export const recipeOf = (settings: SignatureSettings): Recipe | null =>
  settings['webhook.signature'] ?? ready[settings['webhook.auth']]

/** Whether a recipe is one of those with a name. */
export const isReady = (recipe: Recipe): boolean => Object.values(ready).some((one) => one === recipe)

/** Whether a recipe is that of Standard Webhooks, by its name. */
export const isStandard = (recipe: Recipe | null): boolean => recipe === ready.standard

/** Whether a webhook can carry several signatures by a recipe: one for each webhook secret of a rotation. */
export const carriesSeveral = (recipe: Recipe | null): boolean =>
  recipe?.secret === 'webhook-secret' && recipe.rotation === 'both'

/** Whether the time is part of what a recipe signs. */
export const signsTime = ({ signed }: Recipe): boolean => signed.includes('${timestamp}')

/** The settings with which webhooks carry several signatures, in words. */
export const severalOnly =
  'only `webhook.auth: standard`, or a recipe with `rotation: both` and `webhook-secret`,'

/** How settings are named in messages: by the ready name, or by the setting of the own recipe. */
export const authWords = (settings: SignatureSettings): string =>
  settings['webhook.signature'] === null ? settings['webhook.auth'] : 'webhook.signature'

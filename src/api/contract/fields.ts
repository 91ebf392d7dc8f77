import * as z from 'zod'
import { requestIdCharacters } from '../../domain/order/ids.ts'
import { isCallbackUrl } from '../../domain/order/payment-urls.ts'
import { refusedUrl } from '../../domain/text/urls.ts'

// Fields of request bodies, in the words of the API specification. `""` stands for an absent optional text (N31).

const wellFormed = (text: string) => text.isWellFormed()

/** A text of valid Unicode in a request body. */
export const text = z.string().refine(wellFormed, 'contains half of a surrogate pair; send valid Unicode')

export const requiredText = text.min(1, 'must not be empty')

/** A requestId or clientId. Create calls and lookups accept the same ones. */
export const id = requiredText.max(requestIdCharacters)

/** An optional text field: `""` is absent, `null` is not (N31). `readFields` handles that for all fields at once: as
 *  a step of each schema it would take half of the validation time. */
export const optional = <T extends z.ZodType>(schema: T) => schema.optional()

/** A positive amount with the allowed decimals (R18-R20, N5, N6). */
export const fiatAmount = text
  .regex(
    /^\d{1,1000}(\.\d{1,2})?$/,
    'must be an amount with at most two decimals, like "10.50" (only digits and a point)',
  )
  .refine((amount) => /[1-9]/.test(amount), {
    error: 'must be greater than zero',
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ example: '10.50' })

/** An e-mail address: one @ with text on both sides (N32). */
export const email = text
  .regex(/^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u, 'must be an e-mail address: one @ with text on both sides')
  .meta({ example: 'a@example.com' })

/** A name of at most 50 characters, counted as code points (R30, N30). `length` is never less, and is quicker to
 *  check. */
export const personName = text.refine(
  (name) => name.length <= 50 || [...name].length <= 50,
  'must have at most 50 characters',
)

/** A phone number in E.164 format (R32). */
export const phoneNumber = text
  .regex(/^\+[1-9]\d{1,14}$/, 'must be E.164: a +, the country code and the number, with at most 15 digits')
  .meta({ example: '+5511999990000' })

/** A UUID of any version (R28). The pattern has no flags, because the OpenAPI document cannot show any. */
export const uuid = text
  .regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'must be a UUID')
  .meta({ example: '6f1c9c1e-8f0a-4b5e-9a53-2d1c7b9f0e11' })

/** Whether the payer returns to a web page or to an app (R33). */
export const mode = z.enum(['returnUrl', 'returnAppUrl'])

const languages: ReadonlySet<string> = new Set(
  (
    'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el ' +
    'en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ' +
    'ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na ' +
    'nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so ' +
    'sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'
  ).split(' '),
)

/** A language: two lower-case letters, assigned by ISO 639-1 (R42). */
export const lang = text
  .refine((code) => languages.has(code), 'must be a two-letter ISO 639-1 code in lower case, like "pt"')
  .meta({ example: 'pt' })

export const deviceContext = z.object({ deviceOS: optional(z.enum(['ANDROID', 'IOS'])) })

export const billingData = z.object({
  address: optional(text),
  street: optional(text),
  city: optional(text),
  state: optional(text),
  country: optional(text.regex(/^[A-Za-z]{2}$/, 'must be two letters, like "BR"')),
  postalCode: optional(text),
})

/** A free JSON object (R46). Lookups return its text, not this value (N69). */
export const metadata = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be a JSON object',
  )
  .meta({ type: 'object', example: { cart: '42' } })

/** A callback URL: absolute, http(s) or an app's own scheme, and nothing that a browser would execute (N32). */
export const callbackUrl = text
  .refine(isCallbackUrl, {
    error: ({ input }) => `must be an absolute http, https or app URL${refusedUrl(input)}`,
  })
  .meta({ example: 'https://shop.example/thanks' })

/** A number of days: up to three digits, stored as a text (R63, N27). */
export const trialPeriodDays = text
  .regex(/^\d{1,3}$/, 'must be a number of days in quotes, like "7"')
  .refine((days) => Number(days) <= 365, {
    error: 'must be at most 365',
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ example: '7' })

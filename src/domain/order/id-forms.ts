import { createHmac } from 'node:crypto'
import { fillText, type Placeholders, textTemplate } from '../text/template.ts'
import type { EpochMs } from '../text/time.ts'

/** The values that a form of ids can name. */
const idPlaceholders = {
  values: {
    createdAt: 'time',
    charge: 'number',
    digits: 'random',
    hex: 'random',
    base62: 'random',
    ulid: 'text',
  },
} as const satisfies Placeholders

const alphabets = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  base62: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
} as const

/** The digits of a ULID, by Crockford. */
const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The random bits of a ULID, beside its time. */
const ulidBits = 80

/** The words for the placeholders, for documents. */
export const idPlaceholderWords =
  '`${createdAt:yyyymmdd}`, `${charge}`, and random parts such as `${digits:6}`, `${hex:32}`, `${base62:24}` or `${ulid}`'

/** The number of characters that a random part may have. */
const mostCharacters = 64

/** A six-digit number just reaches it. */
const leastValues = 10 ** 6

/** The random bits of a version 4 UUID, which nobody can guess. */
const tokenBits = 122

/** Schema of the form of orderIds and refundIds. Taken ids are drawn again, which needs a random part (N83). */
export const orderIdForm = idForm(
  Math.log2(leastValues),
  `needs at least ${leastValues} values in its random parts, else ids would repeat: add one such as \`\${digits:6}\``,
)

/** Schema of the form of tokens, which open payment pages (N83). */
export const tokenForm = idForm(
  tokenBits,
  `needs at least ${tokenBits} random bits, because a token opens a payment page: use \`\${hex:32}\`, \`\${base62:24}\` or longer`,
)

/** Everything that an id follows from. */
interface IdSource {
  readonly seed: string
  /** `orderId`, `token` or `refundId`: none can be told from another. */
  readonly use: string
  readonly clientId: string
  readonly requestId: string
  readonly charge: number
  readonly nowMs: EpochMs
  /** How many ids were drawn before and are taken. */
  readonly draw: number
}

/** Returns an id in the form of the settings. The same source always gives the same id. */
export function formedId(form: string, source: IdSource): string {
  const { seed, use, clientId, requestId, charge, nowMs, draw } = source
  const random = (name: string) => {
    const parts = JSON.stringify([use, name, clientId, requestId, charge, nowMs, draw])
    return createHmac('sha512', seed).update(parts).digest('hex')
  }
  const drawn = (name: keyof typeof alphabets) => ({ random: written(random(name), alphabets[name]) })
  return fillText(form, {
    createdAt: { time: nowMs, offset: '+00:00' },
    charge,
    digits: drawn('digits'),
    hex: drawn('hex'),
    base62: drawn('base62'),
    ulid: ulid(nowMs, random('ulid')),
  })
}

/** A ULID: ten digits of time, and sixteen random ones. */
function ulid(nowMs: EpochMs, hexNumber: string): string {
  const time = written(nowMs.toString(16), base32).slice(0, 10)
  return [...time].toReversed().join('') + written(hexNumber, base32).slice(0, ulidBits / 5)
}

/** Writes a random number of 512 bits with the characters of an alphabet. The lowest ones are used, whose
 *  distribution is even. */
function written(hexNumber: string, alphabet: string): string {
  const base = BigInt(alphabet.length)
  let rest = BigInt(`0x${hexNumber}`)
  let text = ''
  for (let n = 0; n < mostCharacters; n++) {
    text += alphabet.charAt(Number(rest % base))
    rest /= base
  }
  return text
}

function idForm(leastBits: number, tooFew: string) {
  return textTemplate(idPlaceholders).superRefine((form, context) => {
    const fail = (message: string) => context.addIssue({ code: 'custom', message })
    const parts = randomParts(form)
    const odd = parts.find(({ characters }) => characters < 1 || characters > mostCharacters)
    if (odd !== undefined)
      return fail(
        `needs a number of characters from 1 to ${mostCharacters} in \${${odd.name}}, as in \${${odd.name}:12}`,
      )
    const example = formedId(form, exampleSource)
    if (!/^[\w.~-]{1,100}$/.test(example))
      return fail(`must consist of letters, digits, - . _ and ~, at most 100; it would give "${example}"`)
    // Rounding must not cost six digits their last bit.
    const bits = bitsOf(parts) + (form.includes('${ulid') ? ulidBits : 0)
    if (bits + 1e-9 < leastBits) fail(tooFew)
  })
}

const exampleSource: IdSource = {
  seed: 'example',
  use: 'example',
  clientId: 'demo-client',
  requestId: 'r1',
  charge: 1,
  nowMs: 0,
  draw: 0,
}

interface RandomPart {
  readonly name: keyof typeof alphabets
  readonly characters: number
  readonly cased: boolean
}

function randomParts(form: string): RandomPart[] {
  return [...form.matchAll(/\$\{(digits|hex|base62)((?::\w+)*)\}/g)].map(([, name, formats = '']) => {
    const named = formats.split(':')
    return {
      name: isAlphabet(name) ? name : 'hex',
      characters: Number(named.find((format) => /^\d+$/.test(format)) ?? 0),
      cased: named.includes('lower') || named.includes('upper'),
    }
  })
}

const isAlphabet = (name: string | undefined): name is keyof typeof alphabets =>
  name !== undefined && Object.hasOwn(alphabets, name)

/** The random bits of a form. A part that stands twice has the same value twice, so only the longest one counts. */
function bitsOf(parts: readonly RandomPart[]): number {
  const bits: Record<string, number> = {}
  for (const { name, characters, cased } of parts) {
    // Letters of one case only: the rarest of 36 characters is as likely as one of 31.
    const each = Math.log2(name === 'base62' && cased ? 31 : alphabets[name].length)
    bits[name] = Math.max(bits[name] ?? 0, characters * each)
  }
  return Object.values(bits).reduce((sum, one) => sum + one, 0)
}

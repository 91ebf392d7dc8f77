import { createHash, createHmac } from 'node:crypto'
import type { Mistake } from '../mistake.ts'
import type { Reading } from './readings.ts'
import type { SignedText } from './signed-text.ts'
import type { SigningKey } from './signing-keys.ts'

/** The texts and keys that a search for the signed text tries. */
export interface SearchSpace {
  readonly readings: readonly Reading[]
  readonly apiSecret: string
  /** The texts that the service would accept. */
  readonly accepted: readonly string[]
  /** Wrong texts that may have been signed. */
  readonly texts: Iterable<SignedText>
  readonly keys: readonly SigningKey[]
  /** Keys of other clients, which are only tried with the accepted texts. */
  readonly othersKeys: readonly SigningKey[]
}

/** The text and the key that explain a wrong signature. */
export interface Found {
  readonly mistakes: readonly Mistake[]
  /** The text that was actually signed. */
  readonly text: string | Buffer
}

/** The bytes hashed for one rejection, about a millisecond. Long texts are tried in fewer ways. */
const mostBytes = 160 * 1024
/** The fixed cost of one HMAC, expressed in bytes. */
const bytesOfOne = 192

/** A way to compute a signature from a text and a key. */
interface Making {
  readonly bytes: number
  readonly mistakes: readonly Mistake[]
  readonly digest: (text: string | Buffer, key: string | Buffer) => Buffer
}

const rightMaking: Making = { bytes: 32, mistakes: [], digest: hmac('sha256') }

const otherHmacs: readonly Making[] = [
  [16, 'md5', 'MD5'] as const,
  [20, 'sha1', 'SHA-1'] as const,
  [28, 'sha224', 'SHA-224'] as const,
  [48, 'sha384', 'SHA-384'] as const,
  [64, 'sha512', 'SHA-512'] as const,
].map(([bytes, algorithm, name]) => ({
  bytes,
  mistakes: [{ cause: 'signature.algorithm', words: `you used HMAC with ${name}; use HMAC with SHA-256` }],
  digest: hmac(algorithm),
}))

const plain = (words: string, join: (text: Buffer, key: Buffer) => Buffer[]): Making => ({
  bytes: 32,
  mistakes: [{ cause: 'signature.no-hmac', words: `you used ${words}; use HMAC with SHA-256` }],
  digest: (text, key) => {
    const hash = createHash('sha256')
    for (const part of join(Buffer.from(text), Buffer.from(key))) hash.update(part)
    return hash.digest()
  },
})

const withoutHmac: readonly Making[] = [
  plain('a plain SHA-256 of the string and the secret', (text, key) => [text, key]),
  plain('a plain SHA-256 of the secret and the string', (text, key) => [key, text]),
  plain('a plain SHA-256 of the string', (text) => [text]),
  {
    bytes: 32,
    mistakes: [
      { cause: 'signature.no-hmac', words: 'you used the string as the key and the secret as the text' },
    ],
    digest: (text, key) => createHmac('sha256', text).update(key).digest(),
  },
]

/** Searches for the mistakes that give exactly this signature: single ones first, then usual pairs.
 *  @returns null if none does; `exhausted` if not everything could be tried */
export function search(space: SearchSpace): Found | null | 'exhausted' {
  let bytesLeft = mostBytes
  for (const { text, key, keyMistakes, making } of attempts(space)) {
    const fitting = space.readings.filter(({ digest }) => digest.length === making.bytes)
    if (fitting.length === 0) continue
    bytesLeft -= text.text.length + bytesOfOne
    if (bytesLeft < 0) return 'exhausted'
    const made = making.digest(text.text, key)
    const reading = fitting.find(({ digest }) => digest.equals(made))
    if (reading === undefined) continue
    const mistakes = [...text.mistakes, ...keyMistakes, ...making.mistakes, ...reading.mistakes]
    return { mistakes, text: text.text }
  }
  return null
}

/** One trial of the search: a text, a key, and a way to compute the signature. */
interface Attempt {
  readonly text: SignedText
  readonly key: string | Buffer
  readonly keyMistakes: readonly Mistake[]
  readonly making: Making
}

function* attempts(space: SearchSpace): Generator<Attempt> {
  const right = space.accepted.map((text): SignedText => ({ text, mistakes: [], usual: true }))
  const texts: SignedText[] = []
  const hashes = otherHmacs.filter(({ bytes }) =>
    space.readings.some(({ digest }) => digest.length === bytes),
  )
  yield* underKeys(right, [{ key: space.apiSecret, mistake: null }])
  yield* underKeys(right, space.keys)
  for (const text of different(space.texts)) {
    texts.push(text)
    yield { text, key: space.apiSecret, keyMistakes: [], making: rightMaking }
  }
  yield* underKeys(right, space.othersKeys)
  yield* madeOtherwise(right, space.apiSecret, [...hashes, ...withoutHmac])
  yield* madeOtherwise(texts, space.apiSecret, hashes)
  const usualTexts = texts.filter(({ usual }) => usual)
  yield* underKeys(
    usualTexts,
    space.keys.filter(({ usual }) => usual),
  )
  yield* madeOtherwise(usualTexts, space.apiSecret, withoutHmac)
}

function* underKeys(
  texts: readonly SignedText[],
  keys: readonly { key: string | Buffer; mistake: Mistake | null }[],
): Generator<Attempt> {
  for (const text of texts) {
    for (const { key, mistake } of keys)
      yield { text, key, keyMistakes: mistake === null ? [] : [mistake], making: rightMaking }
  }
}

function* madeOtherwise(
  texts: readonly SignedText[],
  key: string,
  makings: readonly Making[],
): Generator<Attempt> {
  for (const text of texts) {
    for (const making of makings) yield { text, key, keyMistakes: [], making }
  }
}

/** Skips texts that occurred before: several mistakes often give one text, and the first is reported. */
function* different(texts: Iterable<SignedText>): Generator<SignedText> {
  const seen = new Set<string | Buffer>()
  for (const text of texts) {
    if (seen.has(text.text)) continue
    seen.add(text.text)
    yield text
  }
}

function hmac(algorithm: string) {
  return (text: string | Buffer, key: string | Buffer) => createHmac(algorithm, key).update(text).digest()
}

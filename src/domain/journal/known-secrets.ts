import { masked } from './masking.ts'
import { readings, withReplaced } from './readings.ts'

/** What is shorter could stand for anything, and stays. */
const shortest = 8
/** 32 bytes in base64url: every token that was given out. */
const issuedCharacters = 43
const issuedRuns = /(?<![\w-])[\w-]{43,}/g

/** One way to write a secret. */
interface Spelling {
  readonly text: string
  readonly secret: string
}

/** Spellings that begin with characters of the same sum. */
interface Bucket {
  /** How long they are. */
  readonly lengths: Set<number>
  /** By text, each as often as it was added. */
  readonly spellings: Map<string, Spelling[]>
}

/** Where a secret stands in a text. */
interface Found {
  readonly start: number
  readonly length: number
  readonly secret: string
}

/** The tokens that were given out. */
export interface GivenTokens {
  /** Whom one was given out to. */
  readonly givenTo: (token: string) => string | undefined
  /** Whether a client has been given any; null for anybody. */
  readonly isGiven: (clientId: string | null) => boolean
}

const noTokens: GivenTokens = { givenTo: () => undefined, isGiven: () => false }

/** Finds secrets in texts, in whatever place they stand, in a time that does not depend on how many there are: each
 *  eight characters of a text are looked up among the beginnings of all secrets. */
export class KnownSecrets {
  readonly #buckets = new Map<number, Bucket>()
  /** The spellings of each owner's secrets, as often as they were added. */
  readonly #owned = new Map<string | null, Spelling[]>()
  readonly #given: GivenTokens

  constructor(given: GivenTokens = noTokens) {
    this.#given = given
  }

  /** @param owner a clientId; null for what is everybody's to hide */
  add(secret: string, owner: string | null): void {
    const spellings = spellingsOf(secret)
    this.#owned.set(owner, [...(this.#owned.get(owner) ?? []), ...spellings])
    for (const spelling of spellings) {
      const beginning = sumOfBeginning(spelling.text)
      const bucket = this.#buckets.get(beginning) ?? { lengths: new Set(), spellings: new Map() }
      bucket.spellings.set(spelling.text, [...(bucket.spellings.get(spelling.text) ?? []), spelling])
      bucket.lengths.add(spelling.text.length)
      this.#buckets.set(beginning, bucket)
    }
  }

  remove(secret: string, owner: string | null): void {
    for (const { text } of spellingsOf(secret)) {
      const owned = this.#owned.get(owner) ?? []
      const index = owned.findIndex((spelling) => spelling.text === text)
      if (index === -1) continue
      const [removed] = owned.splice(index, 1)
      if (owned.length === 0) this.#owned.delete(owner)
      const beginning = sumOfBeginning(text)
      const bucket = this.#buckets.get(beginning)
      const left = bucket?.spellings.get(text)?.filter((spelling) => spelling !== removed) ?? []
      if (left.length > 0) bucket?.spellings.set(text, left)
      else bucket?.spellings.delete(text)
      if (bucket?.spellings.size === 0) this.#buckets.delete(beginning)
    }
  }

  /** A text without secrets, however they are spelt: in a URL, in JSON, or in one within the other.
   *  @param owner whose secrets alone are meant, beside everybody's; null for all there are */
  mask(text: string, owner: string | null): string {
    if (text.length < shortest) return text
    const found = readings(text).flatMap((reading) =>
      [...this.#spellingsIn(reading.text, owner), ...this.#tokensIn(reading.text, owner)].map(
        ({ start, length, secret }) => ({
          from: reading.at(start),
          to: reading.at(start + length),
          by: masked(secret),
        }),
      ),
    )
    return withReplaced(text, found)
  }

  #spellingsIn(text: string, owner: string | null): Found[] {
    if (owner === null) return this.#anyIn(text)
    const few = [...(this.#owned.get(owner) ?? []), ...(this.#owned.get(null) ?? [])]
    return few.flatMap((spelling) => placesIn(text, spelling))
  }

  #anyIn(text: string): Found[] {
    const all: Found[] = []
    let sum = 0
    for (let index = 0; index < text.length; index++) {
      sum = nextSum(sum, text.charCodeAt(index))
      const start = index - shortest + 1
      const bucket = start < 0 ? undefined : this.#buckets.get(sum)
      for (const length of bucket?.lengths ?? []) {
        const [spelling] = bucket?.spellings.get(text.slice(start, start + length)) ?? []
        if (spelling !== undefined) all.push({ start, length, secret: spelling.secret })
      }
    }
    return all
  }

  #tokensIn(text: string, owner: string | null): Found[] {
    if (text.length < issuedCharacters || !this.#given.isGiven(owner)) return []
    const all: Found[] = []
    for (const { 0: run, index } of text.matchAll(issuedRuns)) {
      for (let start = 0; start + issuedCharacters <= run.length; start++) {
        const secret = run.slice(start, start + issuedCharacters)
        const whose = this.#given.givenTo(secret)
        if (whose !== undefined && (owner === null || whose === owner))
          all.push({ start: index + start, length: issuedCharacters, secret })
      }
    }
    return all
  }
}

/** As it is, and as forms write its blanks. */
function spellingsOf(secret: string): Spelling[] {
  if (secret.length < shortest) return []
  const texts = secret.includes(' ') ? [secret, secret.replaceAll(' ', '+')] : [secret]
  return texts.map((text) => ({ text, secret }))
}

function placesIn(text: string, spelling: Spelling): Found[] {
  const places: Found[] = []
  for (let start = text.indexOf(spelling.text); start !== -1; start = text.indexOf(spelling.text, start + 1))
    places.push({ start, length: spelling.text.length, secret: spelling.secret })
  return places
}

/** Of the last eight characters: what came before is shifted out of the 32 bits. */
const nextSum = (sum: number, code: number): number => ((sum << 4) + code) | 0

function sumOfBeginning(text: string): number {
  let sum = 0
  for (let index = 0; index < shortest; index++) sum = nextSum(sum, text.charCodeAt(index))
  return sum
}

import { masked } from './masking.ts'
import { readings, withReplaced } from './readings.ts'

/** Shorter secrets could match anything, and are not masked. */
const shortest = 8
/** 32 bytes in base64url: the length of every issued token. */
const issuedCharacters = 43
const issuedRuns = /(?<![\w-])[\w-]{43,}/g

/** One spelling of a secret, for example in a URL. */
interface Spelling {
  readonly text: string
  readonly secret: string
}

/** Spellings whose first eight characters have the same sum. */
interface Bucket {
  /** The lengths of all spellings. */
  readonly lengths: Set<number>
  /** The spellings by their text; a text that several secrets share is there several times. */
  readonly spellings: Map<string, Spelling[]>
}

/** Where a secret was found in a text. */
interface Found {
  readonly start: number
  readonly length: number
  readonly secret: string
}

/** The issued tokens, as the masking of secrets uses them. */
export interface GivenTokens {
  /** Returns the client of an issued token. */
  readonly givenTo: (token: string) => string | undefined
  /** Whether any tokens were issued to a client; null means to any client. */
  readonly isGiven: (clientId: string | null) => boolean
}

const noTokens: GivenTokens = { givenTo: () => undefined, isGiven: () => false }

/** Finds secrets anywhere in a text, in a time that does not depend on their number. Every eight characters are
 *  looked up among the beginnings of all secrets. */
export class KnownSecrets {
  readonly #buckets = new Map<number, Bucket>()
  /** The spellings of each owner's secrets, once for each time they were added. */
  readonly #owned = new Map<string | null, Spelling[]>()
  readonly #given: GivenTokens

  constructor(given: GivenTokens = noTokens) {
    this.#given = given
  }

  /** Adds a secret.
   *  @param owner the clientId; null for a secret of all clients */
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

  /** Masks secrets in a text, however they are spelled: as they are, in a URL, in JSON, or in one inside the other.
   *  @param owner the client whose secrets are masked, besides those of all clients; null to mask all secrets */
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

/** The secret unchanged and, as in HTML forms, with `+` for each space. */
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

/** The rolling sum of the last eight characters: older ones are shifted out of the 32 bits. */
const nextSum = (sum: number, code: number): number => ((sum << 4) + code) | 0

function sumOfBeginning(text: string): number {
  let sum = 0
  for (let index = 0; index < shortest; index++) sum = nextSum(sum, text.charCodeAt(index))
  return sum
}

import { readings, withReplaced } from './readings.ts'
import { masked } from './secrets.ts'

/** What is shorter could stand for anything, and stays. */
const shortest = 8
/** 32 bytes in base64url: every token that was given out. */
const issuedCharacters = 43
const issuedRuns = /(?<![\w-])[\w-]{43,}/g

interface Spelling {
  readonly secret: string
  /** Whose it is, as often as it is theirs. */
  readonly owners: (string | null)[]
}

/** Spellings that begin with characters of the same sum. */
interface Bucket {
  /** How long they are. */
  readonly lengths: Set<number>
  readonly spellings: Map<string, Spelling>
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
  readonly #given: GivenTokens

  constructor(given: GivenTokens = noTokens) {
    this.#given = given
  }

  /** @param owner a clientId; null for what is everybody's to hide */
  add(secret: string, owner: string | null): void {
    for (const text of spellingsOf(secret)) {
      const beginning = sumOfBeginning(text)
      const bucket = this.#buckets.get(beginning) ?? { lengths: new Set(), spellings: new Map() }
      const spelling = bucket.spellings.get(text) ?? { secret, owners: [] }
      spelling.owners.push(owner)
      bucket.spellings.set(text, spelling)
      bucket.lengths.add(text.length)
      this.#buckets.set(beginning, bucket)
    }
  }

  remove(secret: string, owner: string | null): void {
    for (const text of spellingsOf(secret)) {
      const beginning = sumOfBeginning(text)
      const bucket = this.#buckets.get(beginning)
      const owners = bucket?.spellings.get(text)?.owners
      if (bucket === undefined || owners === undefined || !owners.includes(owner)) continue
      owners.splice(owners.indexOf(owner), 1)
      if (owners.length === 0) bucket.spellings.delete(text)
      if (bucket.spellings.size === 0) this.#buckets.delete(beginning)
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
    const all: Found[] = []
    let sum = 0
    for (let index = 0; index < text.length; index++) {
      sum = nextSum(sum, text.charCodeAt(index))
      const start = index - shortest + 1
      if (start < 0) continue
      const found = this.#at(text, start, sum, owner)
      if (found !== undefined) all.push({ start, ...found })
    }
    return all
  }

  /** The longest secret that stands at a place. */
  #at(text: string, start: number, sum: number, owner: string | null) {
    const bucket = this.#buckets.get(sum)
    let longest: { secret: string; length: number } | undefined
    for (const length of bucket?.lengths ?? []) {
      const spelling = bucket?.spellings.get(text.slice(start, start + length))
      if (spelling === undefined || length <= (longest?.length ?? 0)) continue
      if (owner === null || spelling.owners.includes(owner) || spelling.owners.includes(null))
        longest = { secret: spelling.secret, length }
    }
    return longest
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
function spellingsOf(secret: string): string[] {
  if (secret.length < shortest) return []
  return secret.includes(' ') ? [secret, secret.replaceAll(' ', '+')] : [secret]
}

/** Of the last eight characters: what came before is shifted out of the 32 bits. */
const nextSum = (sum: number, code: number): number => ((sum << 4) + code) | 0

function sumOfBeginning(text: string): number {
  let sum = 0
  for (let index = 0; index < shortest; index++) sum = nextSum(sum, text.charCodeAt(index))
  return sum
}

import { createHash } from 'node:crypto'
import { type Recipe, recipeOf } from '../../domain/webhook/recipe.ts'
import type { Evidence } from '../evidence/evidence.ts'
import {
  isSignedBy,
  looksLike,
  namedSecrets,
  recipeFor,
  type Signed,
  signatureHeaders,
  signedIn,
} from './signing.ts'

/** How webhooks are signed. */
export interface SeenSignatures {
  /** The attempts that can be checked. */
  readonly attempts: readonly Signed[]
  /** Headers that look like signatures. */
  readonly names: readonly string[]
  /** The ready recipe whose headers all webhooks have; null for none. */
  readonly ready: 'standard' | 'hmac-body' | null
  /** The recipe that signs webhooks; null if none was found. */
  readonly recipe: Recipe | null
  /** The attempts with a signature of that recipe. */
  readonly verified: readonly Signed[]
  /** The secrets that were handed in. */
  readonly secrets: readonly Recipe['secret'][]
}

const read = new WeakMap<Evidence, SeenSignatures>()

/** Reads the signatures of all webhooks, once for all rules. */
export function signaturesIn(evidence: Evidence): SeenSignatures {
  const known = read.get(evidence)
  if (known !== undefined) return known
  const found = readSignatures(evidence)
  read.set(evidence, found)
  return found
}

/** The recipe of a ready name. */
export const readyRecipe = (name: 'standard' | 'hmac-body'): Recipe | null =>
  recipeOf({ 'webhook.auth': name, 'webhook.signature': null })

/** The secret by which a recipe signs; undefined if it was not handed in. */
export const secretFor = (recipe: Recipe, { secrets }: Evidence): string | undefined =>
  namedSecrets(secrets).find(([name]) => name === recipe.secret)?.[1]

function readSignatures(evidence: Evidence): SeenSignatures {
  const all = signedIn(evidence)
  // What the application refused may be forged.
  const accepted = all.filter(({ attempt: { status } }) => status !== 400 && status !== 401 && status !== 403)
  const attempts = accepted.length > 0 ? accepted : all
  const headers = signatureHeaders(attempts.map(({ attempt }) => attempt))
  const ready = (['standard', 'hmac-body'] as const).find((name) => {
    const recipe = readyRecipe(name)
    const like = attempts.filter(({ attempt }) => recipe !== null && looksLike(recipe, attempt))
    return attempts.length > 0 && like.length * 10 >= attempts.length * 9
  })
  const candidates = [
    ...(ready === undefined ? [] : [readyRecipe(ready)]),
    ...headers.map((header) => recipeFor(header, attempts, evidence.secrets)),
  ]
  const verifiedBy = (recipe: Recipe) => {
    const secret = secretFor(recipe, evidence)
    return secret === undefined ? [] : attempts.filter((one) => isSignedBy(recipe, secret, one))
  }
  const [best] = candidates
    .flatMap((recipe) => (recipe === null ? [] : [{ recipe, verified: verifiedBy(recipe) }]))
    .filter(({ verified }) => verified.length > 0)
  return {
    attempts,
    names: [...new Set(headers.map(({ name }) => name))],
    ready: ready ?? null,
    recipe: best === undefined ? null : pruned(best.recipe, best.verified),
    verified: best?.verified ?? [],
    secrets: namedSecrets(evidence.secrets).map(([name]) => name),
  }
}

/** A recipe without the headers of an id or of the event's time that are not signed, and with those that have the hash of the body. */
function pruned(recipe: Recipe, verified: readonly Signed[]): Recipe {
  if (recipe === readyRecipe('standard') || recipe === readyRecipe('hmac-body')) return recipe
  const { signed, format } = recipe
  const isUsed = (name: string, text: string) =>
    signed.includes(text) ||
    format.includes(text) ||
    (text !== '${id}' && !(text === '${timestamp}' && isOfEvent(name, verified)))
  const hashed = Object.keys(verified[0]?.attempt.headers ?? {}).filter((name) =>
    verified.every(({ attempt, body }) => {
      const hash = createHash(recipe.algorithm).update(body).digest('hex')
      return attempt.headers[name] === hash
    }),
  )
  const headers = Object.fromEntries(
    [
      ...Object.entries(recipe.headers).filter(([name, text]) => isUsed(name, text)),
      ...hashed.map((name): [string, string] => [name, '${bodyHash}']),
    ].filter(([name]) => name !== recipe.header),
  )
  return { ...recipe, headers }
}

/** Whether a header has the time of the event: repeated attempts have the same one, however late they are. */
function isOfEvent(name: string, attempts: readonly Signed[]): boolean {
  return [...Map.groupBy(attempts, ({ unit }) => unit).values()].some(([first, ...later]) =>
    later.some(
      ({ attempt }) =>
        first !== undefined &&
        attempt.at - first.attempt.at > 2000 &&
        attempt.headers[name] === first.attempt.headers[name],
    ),
  )
}

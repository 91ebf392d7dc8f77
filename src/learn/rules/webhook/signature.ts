import { isMapping } from '../../../domain/text/objects.ts'
import { type Recipe, signatureRecipe } from '../../../domain/webhook/recipe.ts'
import type { Sight } from '../../elimination/eliminate.ts'
import type { Finding } from '../../elimination/finding.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import { concluded } from '../../webhook/conclusion.ts'
import { readyRecipe, type SeenSignatures, secretFor, signaturesIn } from '../../webhook/signature-reading.ts'
import { isSignedBy, looksLike, type Signed } from '../../webhook/signing.ts'
import type { Rule } from '../rule.ts'

/** How webhooks are signed: by a ready recipe, or by one of the service's own. The two settings decide in place of each
 *  other. */
export const webhookSignature: Rule = {
  settings: ['webhook.auth', 'webhook.signature'],
  learn: (evidence, { claims }): Finding[] => {
    const seen = signaturesIn(evidence)
    const isOwnClaimed = isMapping(claims.get('webhook.signature') ?? undefined)
    const auth = authOf(seen)
    const sights = sightsOf(seen)
    const ofAuth = (value: unknown, one: Signed): boolean => {
      if (isOwnClaimed || (value !== 'standard' && value !== 'hmac-body' && value !== 'none')) return true
      return value === 'none' ? seen.names.length === 0 : fits(readyRecipe(value), one, seen, evidence)
    }
    const ofSignature = (value: unknown, one: Signed): boolean => {
      if (value === null || value === undefined) return auth.state === 'unknown' ? seen.recipe === null : true
      const parsed = signatureRecipe.safeParse(value)
      return !parsed.success || fits(parsed.data, one, seen, evidence)
    }
    return [
      concluded(
        { ...auth, setting: 'webhook.auth', sights: sights((value, one) => ofAuth(value, one)) },
        claims,
      ),
      concluded(
        {
          ...(auth.state === 'unknown' ? recipeFound(seen) : { ...auth, value: null }),
          setting: 'webhook.signature',
          sights: sights((value, one) => ofSignature(value, one)),
        },
        claims,
      ),
    ]
  },
}

interface Found {
  readonly state: 'decided' | 'likely' | 'unknown'
  readonly value?: unknown
  readonly units: number
  readonly evidence: string
  readonly decide: string
}

const unitsOf = (some: readonly Signed[]): number => new Set(some.map(({ unit }) => unit)).size

const secretWords = 'the webhook secret and the API secret, to check the signatures with'

/** The ready recipe; unknown if webhooks are signed in another way. */
function authOf(seen: SeenSignatures): Found {
  const { attempts, names, ready, recipe, verified } = seen
  const total = unitsOf(attempts)
  const decide = attempts.length === 0 ? 'a webhook, with its headers and its exact body' : secretWords
  const unknown = (evidence: string): Found => ({ state: 'unknown', units: 0, evidence, decide })
  if (attempts.every(({ attempt }) => Object.keys(attempt.headers).length === 0))
    return unknown('no webhook in the capture has headers and its exact body')
  if (recipe !== null) {
    const isReady = recipe === readyRecipe('standard') || recipe === readyRecipe('hmac-body')
    if (!isReady) return unknown('webhooks are signed by another recipe: `webhook.signature` decides instead')
    const evidence = `the secret verifies \`${recipe.header}\` of ${verified.length} of ${attempts.length} attempts`
    return { state: 'decided', value: ready, units: unitsOf(verified), evidence, decide }
  }
  if (ready !== null) {
    const ofReady = readyRecipe(ready)
    const evidence = `${total} webhooks have the headers of \`${ready}\``
    if (ofReady !== null && seen.secrets.includes(ofReady.secret))
      return unknown(`${evidence}, but the secret that was handed in verifies none`)
    const state = ready === 'standard' ? 'decided' : 'likely'
    return { state, value: ready, units: total, evidence, decide }
  }
  if (names.length > 0) return unknown(`the header \`${names[0]}\` looks like a signature`)
  // A capture may have masked or shortened a signature.
  const masked = attempts
    .flatMap(({ attempt }) => Object.keys(attempt.headers))
    .find((name) => /signature|hmac|digest/.test(name))
  if (masked !== undefined) return unknown(`the header \`${masked}\` has no signature that can be read`)
  const evidence = `no header of ${total} webhooks looks like a signature`
  return { state: 'decided', value: 'none', units: total, evidence, decide: 'a second webhook' }
}

/** The recipe of the service's own. */
function recipeFound({ attempts, names, recipe, verified, secrets }: SeenSignatures): Found {
  const decide = attempts.length === 0 ? 'a webhook, with its headers and its exact body' : secretWords
  if (recipe !== null) {
    const evidence = `the secret verifies \`${recipe.header}\` of ${verified.length} of ${attempts.length} attempts`
    return { state: 'decided', value: writtenRecipe(recipe), units: unitsOf(verified), evidence, decide }
  }
  const header = names.length === 0 ? 'no header' : `the header \`${names.join('`, `')}\``
  const evidence =
    names.length === 0
      ? 'no webhook in the capture has headers and its exact body'
      : secrets.length > 0
        ? `${header} looks like a signature, but the secret that was handed in fits in no known way`
        : `${header} looks like a signature; without the secret nothing can be checked`
  return { state: 'unknown', units: 0, evidence, decide }
}

/** A recipe as a settings file writes it, without the defaults. */
function writtenRecipe(recipe: Recipe): Record<string, unknown> {
  const plain = Object.entries(signatureRecipe.parse({ header: recipe.header }))
  const isDefault = ([name, value]: [string, unknown]) =>
    name !== 'header' &&
    plain.some(([other, usual]) => other === name && JSON.stringify(usual) === JSON.stringify(value))
  return Object.fromEntries(
    Object.entries(recipe).filter((entry) => entry[1] !== undefined && !isDefault(entry)),
  )
}

/** The attempts by which a claimed value is tested: those that are known to be genuine, if some are. */
function sightsOf({ attempts, verified }: SeenSignatures) {
  const tested = verified.length > 0 ? verified : attempts
  return (allows: (value: unknown, one: Signed) => boolean): Sight[] =>
    tested.map((one) => ({
      source: one.attempt.source,
      unit: one.unit,
      words: `the signature in \`${one.attempt.source.place}\` is made in another way`,
      allows: (value) => allows(value, one),
    }))
}

/** Whether an attempt can be signed by a recipe. Without its secret only the form of the headers is compared. */
function fits(recipe: Recipe | null, one: Signed, seen: SeenSignatures, evidence: Evidence): boolean {
  if (recipe === null) return false
  const secret = secretFor(recipe, evidence)
  if (secret === undefined || seen.recipe === null) return looksLike(recipe, one.attempt)
  return isSignedBy(recipe, secret, one)
}

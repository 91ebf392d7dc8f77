import { formatDuration } from '../../../domain/text/duration.ts'
import { isMapping } from '../../../domain/text/objects.ts'
import { jwtForm, signatureOf } from '../../../domain/webhook/jwt.ts'
import { isReadable } from '../../../domain/webhook/secret.ts'
import { undecided } from '../../elimination/caution.ts'
import { eliminate, type Sight, sameValue } from '../../elimination/eliminate.ts'
import type { Finding } from '../../elimination/finding.ts'
import type { Evidence, SeenJwt } from '../../evidence/evidence.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import { concluded } from '../../webhook/conclusion.ts'
import { claimsOf, type SeenEvent } from '../../webhook/events.ts'
import { inverted } from '../../webhook/inversion.ts'
import { leavesOf, placeWords } from '../../webhook/leaves.ts'
import { mismatch } from '../../webhook/match.ts'
import { type Bodies, bodiesIn, fixedForms } from '../../webhook/reading.ts'
import { namedSecrets } from '../../webhook/signing.ts'
import type { Context, Rule } from '../rule.ts'

/** The tokens in webhooks: where they are, what they claim, and how they are signed. */
export const webhookJwt: Rule = {
  settings: ['webhook.jwt', 'webhook.jwtAlgorithm'],
  learn: (evidence, context) => {
    const bodies = bodiesIn(evidence)
    const tokens = bodies.plain.flatMap((event): SeenToken[] => {
      const { jwt } = event
      return jwt === null ? [] : [{ event, jwt }]
    })
    const key = keyOf(tokens, evidence)
    const form = tokens.length === 0 ? null : formOf(tokens, bodies, key)
    return [formFinding(tokens, form, key, bodies, context), algorithmFinding(tokens, form, key, context)]
  },
}

interface SeenToken {
  readonly event: SeenEvent
  readonly jwt: SeenJwt
}

/** The secret that signs tokens: `none` if nothing was handed in, `other` if what was handed in does not. */
type Key =
  | { readonly secret: 'webhook-secret' | 'api-secret'; readonly secretAs: 'text' | 'base64' | 'hex' }
  | 'none'
  | 'other'

const hmacs = ['HS256', 'HS384', 'HS512'] as const

function keyOf(tokens: readonly SeenToken[], { secrets }: Evidence): Key {
  const all = namedSecrets(secrets).toReversed()
  const samples = tokens.slice(0, 20)
  for (const [secret, text] of all)
    for (const secretAs of ['text', 'base64', 'hex'] as const) {
      if (!isReadable(text, secretAs)) continue
      const fits = samples.filter(({ jwt }) => isSignedWith(jwt, text, secretAs))
      if (fits.length * 2 > samples.length) return { secret, secretAs }
    }
  return all.length === 2 ? 'other' : 'none'
}

function isSignedWith(
  { text, header }: SeenJwt,
  secret: string,
  secretAs: 'text' | 'base64' | 'hex',
): boolean {
  const algorithm = hmacs.find((name) => name === header.alg)
  const [head = '', body = '', signature] = text.split('.')
  return (
    algorithm !== undefined && signatureOf(`${head}.${body}`, { algorithm, secretAs }, secret) === signature
  )
}

interface Form {
  /** As a settings file writes it. */
  readonly value: Readonly<Record<string, unknown>>
  readonly state: 'decided' | 'likely' | 'unknown'
  readonly open: string | null
  /** Whether the emulator makes such tokens without the setting. */
  readonly isPlain: boolean
  readonly algorithm: unknown
}

function formOf(tokens: readonly SeenToken[], bodies: Bodies, key: Key): Form | null {
  const [first] = tokens
  if (first === undefined) return null
  const { place, header } = first.jwt
  const where = first.event.tokenPlace
  const seconds = (name: string) =>
    tokens.flatMap(({ jwt }) => (typeof jwt.claims[name] === 'number' ? [jwt.claims[name]] : []))
  const isOften = (name: string) =>
    tokens.filter(({ jwt }) => jwt.claims[name] !== undefined).length * 2 > tokens.length
  const lives = tokens.flatMap(({ jwt: { claims } }) =>
    typeof claims.exp === 'number' && typeof claims.iat === 'number' ? [claims.exp - claims.iat] : [],
  )
  const claims = claimsReading(tokens, bodies)
  const life = new Set(lives).size === 1 ? lives[0] : undefined
  const isUnclear = isOften('exp') && life === undefined
  const value = {
    ...(where === 'body' && 'field' in place && place.field !== 'payload' && { member: place.field }),
    ...(where === 'beside' && 'header' in place && { header: place.header }),
    ...(claims.template !== null && { claims: claims.template }),
    ...(isOften('iat') && seconds('iat').length > 0 && { iat: true }),
    ...(life !== undefined && { exp: formatDuration(life * 1000) }),
    ...(isOften('jti') && { jti: true }),
    ...(typeof header.kid === 'string' && { kid: header.kid }),
    ...(header.alg !== 'HS256' && { algorithm: header.alg }),
    ...(typeof key === 'object' && key.secret !== 'api-secret' && { secret: key.secret }),
    ...(typeof key === 'object' && key.secretAs !== 'text' && { secretAs: key.secretAs }),
  }
  const names = Object.keys(value).filter((name) => name !== 'algorithm')
  return {
    value,
    state: isUnclear ? 'unknown' : claims.state,
    open: isUnclear ? '`exp` is not a fixed time after `iat`' : claims.open,
    isPlain: where !== 'inside' && names.length === 0,
    algorithm: header.alg,
  }
}

/** What the claims are: those of the format `envelope`, or a template. */
function claimsReading(tokens: readonly SeenToken[], bodies: Bodies) {
  const { facts, offset } = bodies
  const others = tokens.filter(({ event, jwt }) => {
    const own = facts.get(event)
    if (own === undefined) return false
    const { misfits, extras } = mismatch(fixedForms.envelope, claimsOf(jwt.claims), own, offset)
    return misfits.length > 0 || extras.length > 0
  })
  if (others.length === 0) return { template: null, state: 'decided', open: null } as const
  const leaves = new Map(tokens.map(({ event, jwt }) => [event, leavesOf(claimsOf(jwt.claims))]))
  const { state, template, places } = inverted([...leaves.keys()], { leaves, facts, offset, isBody: false })
  const open = places.find((place) => place.state === 'open' || place.state === 'unexplained')
  // Claims that differ in a few tokens only may be faults, or a template that seldom differs from the envelope.
  const isMostly = others.length * 10 <= tokens.length
  return {
    template,
    state,
    open: isMostly
      ? `${tokens.length - others.length} of ${tokens.length} tokens have the claims of the format \`envelope\``
      : open === undefined
        ? null
        : `the claim \`${placeWords(open.key)}\` may be ${open.possible.map((each) => JSON.stringify(each)).join(', ') || 'anything'}`,
  } as const
}

const secretWords = 'the API secret and the webhook secret, to check the signatures of tokens with'

function formFinding(
  tokens: readonly SeenToken[],
  form: Form | null,
  key: Key,
  bodies: Bodies,
  { claims }: Context,
): Finding {
  const setting = 'webhook.jwt'
  const units = new Set(tokens.map(({ event }) => event.unit)).size
  const sights = tokens.map((token) => sightOf(token, bodies))
  const about = { setting, units, sights, decide: secretWords } as const
  if (form === null)
    return concluded(
      {
        ...about,
        state: 'unknown',
        evidence: 'no webhook in the capture has a token',
        decide: 'a webhook with a token',
      },
      claims,
    )
  const value = form.isPlain ? null : form.value
  if (form.open !== null)
    return concluded(
      {
        ...about,
        state: 'unknown',
        evidence: form.open,
        left: [value],
        decide: 'a second webhook with other values',
      },
      claims,
    )
  if (typeof key === 'string') {
    const evidence =
      key === 'none'
        ? `${tokens.length} webhooks have a token; without the secrets its key is not known`
        : `${tokens.length} webhooks have a token, but no secret that was handed in signs it`
    return concluded({ ...about, state: 'unknown', evidence, left: [value] }, claims)
  }
  const evidence = `the secret verifies the tokens of ${tokens.length} webhooks`
  return concluded(
    { ...about, state: form.state, value, evidence, decide: 'a second webhook with a token' },
    claims,
  )
}

/** One token as a test of a claimed form. */
function sightOf({ event, jwt }: SeenToken, { facts, offset }: Bodies): Sight {
  const { header, claims, place } = jwt
  const where = event.tokenPlace
  const own = facts.get(event)
  const differs = (value: unknown): boolean => {
    const parsed = jwtForm.safeParse(value ?? {})
    if (!parsed.success) return false
    const { member, header: name, claims: template, iat, exp, jti, kid, algorithm } = parsed.data
    const isElsewhere =
      (where === 'body' &&
        (name !== undefined || !('field' in place) || place.field !== (member ?? 'payload'))) ||
      (where === 'beside' && (!('header' in place) || place.header !== name))
    const life =
      typeof claims.exp === 'number' && typeof claims.iat === 'number' ? claims.exp - claims.iat : null
    const content = template ?? fixedForms.envelope
    return (
      isElsewhere ||
      iat !== (claims.iat !== undefined) ||
      (exp === undefined
        ? claims.exp !== undefined
        : claims.exp === undefined || (life !== null && life !== Math.floor(exp / 1000))) ||
      (jti && claims.jti === undefined) ||
      header.kid !== kid ||
      (algorithm !== undefined && algorithm !== header.alg) ||
      (own !== undefined && mismatch(withoutOwn(content), claimsOf(claims), own, offset).misfits.length > 0)
    )
  }
  return {
    ...{
      source: event.source,
      unit: event.unit,
      words: `the token is another one: ${JSON.stringify(header)}`,
    },
    allows: (value) => !differs(value),
  }
}

/** A template of claims without those that are compared by themselves. */
const withoutOwn = (template: unknown): unknown =>
  isMapping(template) ? claimsOf(fieldsOf(template)) : template

function algorithmFinding(
  tokens: readonly SeenToken[],
  form: Form | null,
  key: Key,
  { claims }: Context,
): Finding {
  const claimed = claims.get('webhook.jwt')
  const isOwn = fieldsOf(claimed).algorithm !== undefined
  const finding = eliminate(
    {
      setting: 'webhook.jwtAlgorithm',
      candidates: [...hmacs],
      sights: tokens.map(({ event, jwt }) => ({
        ...{
          source: event.source,
          unit: event.unit,
          words: `the token is signed with ${String(jwt.header.alg)}`,
        },
        allows: (value) => isOwn || sameValue(value, jwt.header.alg),
      })),
      evidence: (value, count) => `tokens of ${count} orders are signed with ${String(value)}`,
      decide: 'a webhook with a token',
      nothing: 'no webhook in the capture has a token',
    },
    claims,
  )
  if (form === null || form.isPlain) {
    if (finding.state !== 'known' || typeof key === 'object') return finding
    return { ...finding, state: 'likely', decide: secretWords }
  }
  return undecided(finding, {
    evidence: '`webhook.jwt` can name an algorithm of its own, which decides instead',
    left: [...hmacs],
    decide: 'nothing that a webhook shows: the value of `webhook.jwt` is enough',
  })
}

import { createHmac, createSecretKey } from 'node:crypto'
import type { Recipe } from '../../domain/webhook/recipe.ts'
import { isReadable, keyBytes } from '../../domain/webhook/secret.ts'
import {
  readBack,
  type SignedMessage,
  signaturePart,
  signedText,
} from '../../domain/webhook/signed-headers.ts'
import type { Evidence, Secrets } from '../evidence/evidence.ts'
import type { Exchange, Headers } from '../traffic/exchange.ts'
import { escaped } from './match.ts'

/** An attempt whose signature can be checked. */
export interface Signed {
  readonly attempt: Exchange
  readonly body: string
  readonly clientId: string
  readonly unit: string
}

/** A header that looks like a signature: it has a digest, and differs between bodies. */
export interface SignatureHeader {
  readonly name: string
  /** The length of the digest in bytes, and how it is written. */
  readonly algorithm: Recipe['algorithm']
  readonly encoding: Recipe['encoding']
}

/** Headers of HTTP itself, of proxies and of tracing: no setting makes them. */
const plainHeaders = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'connection', 'content-encoding'],
  ...['content-length', 'content-type', 'cookie', 'date', 'expect', 'forwarded', 'host', 'keep-alive'],
  ...['pragma', 'te', 'traceparent', 'tracestate', 'baggage', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['user-agent', 'via', 'origin', 'referer', 'priority', 'x-real-ip', 'x-request-start', 'cdn-loop'],
])

/** Whether a header comes from HTTP, a proxy or a tracer, and not from the service. */
export const isPlainHeader = (name: string): boolean =>
  plainHeaders.has(name) || /^(x-forwarded-|x-amzn-|x-amz-cf-|cf-|sec-|x-b3-|x-cloud-trace|:)/.test(name)

/** The attempts of all webhooks of known orders, with bodies as they were sent. */
export function signedIn({ webhooks }: Evidence): Signed[] {
  return webhooks.flatMap(({ order, attempts }) =>
    attempts.flatMap((attempt) =>
      attempt.isExact && attempt.body !== null
        ? [
            {
              attempt,
              body: attempt.body,
              clientId: order?.clientId ?? '',
              unit: attempts[0].source.place + attempts[0].source.file,
            },
          ]
        : [],
    ),
  )
}

const digests: readonly (readonly [pattern: RegExp, Recipe['encoding'], bytes: number])[] = [
  [/^[\da-f]{40}$/i, 'hex', 20],
  [/^[\da-f]{64}$/i, 'hex', 32],
  [/^[\da-f]{96}$/i, 'hex', 48],
  [/^[\da-f]{128}$/i, 'hex', 64],
  [/^[A-Za-z\d+/]{27}=$/, 'base64', 20],
  [/^[A-Za-z\d+/]{43}=$/, 'base64', 32],
  [/^[A-Za-z\d+/]{64}$/, 'base64', 48],
  [/^[A-Za-z\d+/]{86}==$/, 'base64', 64],
  [/^[\w-]{27}$/, 'base64url', 20],
  [/^[\w-]{43}$/, 'base64url', 32],
  [/^[\w-]{64}$/, 'base64url', 48],
  [/^[\w-]{86}$/, 'base64url', 64],
]
const algorithms: Readonly<Record<number, Recipe['algorithm']>> = {
  20: 'sha1',
  32: 'sha256',
  48: 'sha384',
  64: 'sha512',
}

/** The parts of a header that can be a digest. */
const partsOf = (value: string): string[] => value.match(/[A-Za-z\d+/_-]{20,}={0,2}/g) ?? []

/** The headers that look like signatures. */
export function signatureHeaders(attempts: readonly Pick<Exchange, 'headers'>[]): SignatureHeader[] {
  const names = [...new Set(attempts.flatMap(({ headers }) => Object.keys(headers)))]
  return names
    .filter((name) => !isPlainHeader(name))
    .flatMap((name): SignatureHeader[] => {
      const values = attempts.flatMap(({ headers }) => headers[name] ?? [])
      const isId = new Set(values).size < Math.min(2, values.length)
      if (isId || /id$/.test(name) || values.some((value) => /^(Bearer )?eyJ/.test(value))) return []
      const found = digests.filter(([pattern]) =>
        values.every((value) => partsOf(value).some((part) => pattern.test(part))),
      )
      return found.flatMap(([, encoding, bytes]) => {
        const algorithm = algorithms[bytes]
        return algorithm === undefined ? [] : [{ name, algorithm, encoding }]
      })
    })
}

/** Whether an attempt has the signature that a recipe makes with a secret. */
export function isSignedBy(recipe: Recipe, secret: string, one: Signed): boolean {
  const value = one.attempt.headers[recipe.header]
  if (value === undefined) return false
  const part = signaturePart(recipe, messageOf(recipe, one), { secret })
  return value === part || value.split(recipe.separator).some((each) => each === part) || value.endsWith(part)
}

const queryOf = ({ query }: Exchange): string => (query.size === 0 ? '' : `?${query}`)

/** The secrets that were handed in, with the name that a recipe has for each. */
export function namedSecrets({ apiSecret, webhookSecret }: Secrets): [Recipe['secret'], string][] {
  const all: [Recipe['secret'], string | null][] = [
    ['webhook-secret', webhookSecret],
    ['api-secret', apiSecret],
  ]
  return all.flatMap(([name, secret]) => (secret === null ? [] : [[name, secret]]))
}

/** Finds the recipe by which webhooks are signed: tries all that a header and some attempts allow.
 *  @returns null if none explains two attempts */
export function recipeFor(header: SignatureHeader, all: readonly Signed[], secrets: Secrets): Recipe | null {
  const having = all.filter(({ attempt }) => attempt.headers[header.name] !== undefined)
  const samples = [having[0], having[Math.floor(having.length / 2)], having.at(-1)].flatMap(
    (one) => one ?? [],
  )
  for (const sample of samples)
    for (const recipe of recipesFor(header, sample, having, secrets)) {
      const secret = namedSecrets(secrets).find(([name]) => name === recipe.secret)?.[1]
      const others = having.filter((one) => one !== sample)
      if (
        secret !== undefined &&
        (others.length === 0 || others.some((one) => isSignedBy(recipe, secret, one)))
      )
        return recipe
    }
  return null
}

/** The recipes that explain one attempt. */
function* recipesFor(
  header: SignatureHeader,
  sample: Signed,
  all: readonly Signed[],
  secrets: Secrets,
): Generator<Recipe> {
  const value = sample.attempt.headers[header.name] ?? ''
  for (const form of formsOf(header, sample, all)) {
    const plain: Recipe = {
      ...{ signed: '${body}', secret: 'webhook-secret', secretAs: 'text', rotation: 'both' },
      ...{ ...form, separator: separatorOf(form) },
    }
    const message = messageOf(plain, sample)
    const texts = signedTexts(form).map((signed) => ({
      signed,
      text: signedText({ ...plain, signed }, message),
    }))
    for (const [secret, text] of namedSecrets(secrets))
      for (const secretAs of ['text', 'base64', 'hex'] as const) {
        if (!isReadable(text, secretAs)) continue
        const key = createSecretKey(keyBytes(text, secretAs))
        for (const { signed, text: content } of texts) {
          const digest = createHmac(form.algorithm, key).update(content).digest(form.encoding)
          const recipe = { ...plain, signed, secret, secretAs }
          if (value.includes(digest) && isSignedBy(recipe, text, sample)) yield recipe
        }
      }
  }
}

/** The parts of an attempt that a recipe signs. */
function messageOf(recipe: Recipe, { attempt, body, clientId }: Signed): SignedMessage {
  const { timestamp = '', id = '' } = readBack(recipe, attempt.headers, clientId)
  const url = attempt.origin === null ? null : `${attempt.origin}${attempt.path}${queryOf(attempt)}`
  return { id, clientId, body, timestamp, url }
}

type Form = Pick<Recipe, 'header' | 'format' | 'algorithm' | 'encoding' | 'timestamp' | 'headers'> & {
  keyId?: string
}

/** In Standard Webhooks a space stands between signatures; elsewhere a comma does. */
const separatorOf = ({ format }: Form): string => (/^v\d+,\$/.test(format) ? ' ' : ',')

const times: readonly (readonly [Recipe['timestamp'], RegExp])[] = [
  ['seconds', /^\d{10}$/],
  ['milliseconds', /^\d{13}$/],
  ['iso', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
]

/** How the headers of an attempt can be read: what in them is the signature, the time and the id. */
function formsOf(header: SignatureHeader, sample: Signed, all: readonly Signed[]): Form[] {
  const { headers } = sample.attempt
  const value = headers[header.name] ?? ''
  const pattern = digests.find(
    ([, encoding, bytes]) => encoding === header.encoding && algorithms[bytes] === header.algorithm,
  )?.[0]
  const digest = partsOf(value).find((part) => pattern?.test(part) === true)
  if (digest === undefined) return []
  // Of several signatures, the first is that of the present secret.
  const [beforeDigest = '', ...after] = value.split(digest)
  const rest = after.join(digest)
  const own = ids(headers, header.name, all)
  return times.flatMap(([timestamp, written]): Form[] => {
    const others = Object.entries(headers).filter(([name]) => name !== header.name && !isPlainHeader(name))
    const timed = others.filter(([, text]) => written.test(text)).map(([name]) => name)
    const inValue = (value.match(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d{10,13}/g) ?? []).find((text) =>
      written.test(text),
    )
    if (timed.length === 0 && inValue === undefined && timestamp !== 'seconds') return []
    const marked = (text: string) => (inValue === undefined ? text : text.replace(inValue, '${timestamp}'))
    const keyed = keyIn(`${beforeDigest}\u0000${rest}`)
    const named = (text: string) => (keyed === null ? text : text.replace(keyed, '${keyId}'))
    const tail = /^ v\d+,/.test(rest) ? '' : rest
    const format = `${named(marked(beforeDigest))}\${signature}${named(marked(tail))}`
    const keyHeaders = others.filter(([name, text]) => isKeyHeader(name, text))
    const keyId = keyed ?? keyHeaders[0]?.[1]
    const sent = {
      ...Object.fromEntries(own.slice(0, 1).map((name) => [name, '${id}'])),
      ...Object.fromEntries(timed.slice(0, 1).map((name) => [name, '${timestamp}'])),
      ...(keyed === null && Object.fromEntries(keyHeaders.slice(0, 1).map(([name]) => [name, '${keyId}']))),
    }
    const { name, algorithm, encoding } = header
    const form = { header: name, format, algorithm, encoding, timestamp, headers: sent }
    return [keyId === undefined ? form : { ...form, keyId }]
  })
}

const keyIn = (text: string): string | null =>
  /key_?-?id"?\s*[=:]\s*"?([\w.-]+)/i.exec(text.replace('\u0000', ' '))?.[1] ?? null

const isKeyHeader = (name: string, text: string): boolean =>
  /key-?id|keyid/.test(name) && /^[\w.-]{1,100}$/.test(text)

/** The headers that have an id of the webhook. */
function ids(headers: Headers, signature: string, all: readonly Signed[]): string[] {
  return Object.keys(headers).filter((name) => {
    if (name === signature || isPlainHeader(name) || !/id$|delivery|message|event/.test(name)) return false
    const values = new Set(all.flatMap(({ attempt }) => attempt.headers[name] ?? []))
    return values.size * 2 > new Set(all.map(({ unit }) => unit)).size
  })
}

const separators = ['.', '', ':', '\n', '|', '&', ',', ' ', '-', '_', '/', ';'] as const

/** The texts that a service may sign, the usual ones first. */
function signedTexts({ format, headers, keyId }: Form): string[] {
  const all = [format, ...Object.values(headers)].join()
  const names = ['timestamp', 'id'].filter((name) => all.includes(`\${${name}}`)).map((name) => `\${${name}}`)
  const values = [...names, '${url}', '${clientId}', ...(keyId === undefined ? [] : ['${keyId}'])]
  const fixed = ['v0', 'v1', 'POST'].flatMap((word) => [[word], ...values.map((one) => [word, one])])
  const lists = [[], ...upToThree(values), ...fixed]
  const texts = ['${body}', '${bodyHash}'].flatMap((body) =>
    lists.flatMap((list) =>
      separators.flatMap((separator) =>
        list.length === 0 ? [body] : [[...list, body].join(separator), [body, ...list].join(separator)],
      ),
    ),
  )
  return [...new Set(texts)]
}

function upToThree(names: readonly string[]): string[][] {
  const pairs = names.flatMap((a) => names.filter((b) => b !== a).map((b) => [a, b]))
  const threes = pairs.flatMap(([a = '', b = '']) =>
    names.filter((c) => c !== a && c !== b).map((c) => [a, b, c]),
  )
  return [...names.map((one) => [one]), ...pairs, ...threes]
}

/** Whether a header has the form that a recipe gives it, whatever the signature is. */
export function looksLike(recipe: Recipe, { headers }: Pick<Exchange, 'headers'>): boolean {
  const value = headers[recipe.header]
  if (value === undefined) return false
  const bytes = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }[recipe.algorithm]
  const own = digests.find(([, encoding, length]) => encoding === recipe.encoding && length === bytes)?.[0]
  const part = recipe.format
    .split(/\$\{([^}]*)\}/)
    .map((piece, index) => (index % 2 === 0 ? escaped(piece) : piece === 'signature' ? '(.+?)' : '.+?'))
  const found = new RegExp(`^${part.join('')}$`).exec(value)?.[1]
  const others = Object.keys(recipe.headers).every((name) => headers[name] !== undefined)
  return others && found !== undefined && (own?.test(found) ?? false)
}

import { createHash, createHmac } from 'node:crypto'
import { fillText, type TemplateValues } from '../text/template.ts'
import type { EpochMs } from '../text/time.ts'
import type { Recipe } from './recipe.ts'
import { keyBytes } from './secret.ts'

/** The webhook that a signature is about. */
export interface SignedMessage {
  /** The id of the webhook, the same in every attempt. */
  readonly id: string
  readonly clientId: string
  readonly body: string
  /** The time of signing, as the recipe writes it. */
  readonly timestamp: string
  /** The URL that it is sent to; null without one. */
  readonly url: string | null
}

/** One signature of a webhook. */
export interface OneSignature {
  readonly secret: string
  /** The version in place of `v1` in the header; `v1` if left out. */
  readonly version?: string | undefined
}

/** Writes a time as a recipe wants it. */
export const writtenTime = ({ timestamp }: Pick<Recipe, 'timestamp'>, at: EpochMs): string => {
  if (timestamp === 'iso') return new Date(at).toISOString()
  return String(timestamp === 'seconds' ? Math.floor(at / 1_000) : at)
}

/** Reads a time that a recipe has written; NaN for anything else. */
export function timeWritten({ timestamp }: Pick<Recipe, 'timestamp'>, text: string): EpochMs {
  if (timestamp === 'iso') return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  if (!/^\d{1,15}$/.test(text)) return Number.NaN
  return Number(text) * (timestamp === 'seconds' ? 1_000 : 1)
}

/** The text that a recipe signs. */
export const signedText = (recipe: Recipe, message: SignedMessage): string =>
  fillText(recipe.signed, valuesOf(recipe, message))

/** The headers of a webhook by a recipe. Without signatures, the header for them is left out.
 *  @param signatures one, or several while a secret rotates */
export function signedHeaders(
  recipe: Recipe,
  message: SignedMessage,
  signatures: readonly OneSignature[],
): Record<string, string> {
  const values = valuesOf(recipe, message)
  const others = Object.entries(recipe.headers).map(([name, template]) => [name, fillText(template, values)])
  const { before, part, after } = piecesOf(recipe)
  const parts = signatures.map((signature) => partWith(part, recipe, message, signature))
  const filled = (piece: string) => fillText(piece, values)
  const header = [...before.map(filled), ...parts, ...after.map(filled)].join(recipe.separator)
  return { ...Object.fromEntries(others), ...(parts.length > 0 && { [recipe.header]: header }) }
}

/** The part of the header with one signature: `v1=...`. */
export const signaturePart = (recipe: Recipe, message: SignedMessage, signature: OneSignature): string =>
  partWith(piecesOf(recipe).part, recipe, message, signature)

/** Whether a recipe writes the version of a signature, as `v1`. */
export const hasVersion = (recipe: Recipe): boolean => versionWord.test(piecesOf(recipe).part)

/** Reads the time and the id of a webhook from its headers; undefined if a template does not fit.
 *  @param headers names in lower case */
export function readBack(
  recipe: Recipe,
  headers: Readonly<Record<string, string | undefined>>,
  clientId: string,
): Readonly<Record<'timestamp' | 'id', string | undefined>> {
  const known = { keyId: recipe.keyId, clientId }
  const places = [
    ...Object.entries(recipe.headers).map(([name, template]) => ({ text: headers[name], template })),
    ...recipe.format
      .split(recipe.separator)
      .flatMap((template) =>
        (headers[recipe.header] ?? '').split(recipe.separator).map((text) => ({ text, template })),
      ),
  ]
  const read = (name: 'timestamp' | 'id') => {
    for (const { text, template } of places) {
      const value = text === undefined ? undefined : patternOf(template, name, known)?.exec(text)?.[1]
      if (value !== undefined) return value
    }
    return undefined
  }
  return { timestamp: read('timestamp'), id: read('id') }
}

const versionWord = /\bv1\b/

/** Splits the format at its separator into the part with the signature and those around it. */
function piecesOf({ format, separator }: Recipe) {
  const pieces = format.split(separator)
  const index = pieces.findIndex((piece) => piece.includes('${signature'))
  return { before: pieces.slice(0, index), part: pieces[index] ?? format, after: pieces.slice(index + 1) }
}

function partWith(
  part: string,
  recipe: Recipe,
  message: SignedMessage,
  { secret, version = 'v1' }: OneSignature,
): string {
  const signature = createHmac(recipe.algorithm, keyBytes(secret, recipe.secretAs))
    .update(signedText(recipe, message))
    .digest(recipe.encoding)
  return fillText(part.replace(versionWord, version), { ...valuesOf(recipe, message), signature })
}

function valuesOf({ algorithm, signed, headers, keyId }: Recipe, message: SignedMessage): TemplateValues {
  const { id, clientId, body, timestamp, url } = message
  const isHashed = [signed, ...Object.values(headers)].some((text) => text.includes('${bodyHash'))
  const bodyHash = isHashed ? createHash(algorithm).update(body).digest('hex') : undefined
  return { id, clientId, body, timestamp, keyId, bodyHash, url: url ?? undefined }
}

/** The pattern that finds one value in a filled template; undefined if the template does not name it. */
function patternOf(template: string, wanted: string, known: TemplateValues): RegExp | undefined {
  if (!template.includes(`\${${wanted}}`)) return undefined
  const pieces = template.split(/(\$\{[^}]*\})/).map((piece) => {
    if (piece === `\${${wanted}}`) return '(.*?)'
    if (!piece.startsWith('${')) return escaped(piece)
    const value = fillText(piece, known)
    return value === '' ? '.*?' : escaped(value)
  })
  return new RegExp(`^${pieces.join('')}$`)
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

import { isUtf8 } from 'node:buffer'
import { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { isCompression } from '../domain/diagnosis/body.ts'
import { EmulatorError } from '../domain/errors.ts'
import { holdsMore, nestsDeeper } from '../domain/json-text.ts'
import { limits } from './limits.ts'

const mebibyte = 1024 * 1024

/** How large a body may be. */
export interface BodyLimit {
  readonly bytes: number
  /** Of JSON. Checking more would keep everyone else waiting. */
  readonly values: number
}

/** 1 MiB (N33). */
const usualLimit: BodyLimit = { bytes: limits.bodyBytes, values: limits.jsonValues }

/** Of the one call that takes back all that the emulator has given out. Everyone else does wait while it is parsed. */
export const snapshotLimit: BodyLimit = { bytes: 256 * mebibyte, values: Infinity }

/** A request's body. */
export interface Body {
  readonly text: string
  /** False if it is not UTF-8; its text is then a guess, for the journal only. */
  readonly utf8: boolean
}

/** A JSON object whose members nobody has checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Refuses a body that is announced as compressed or not as JSON. The media type alone counts; its parameters and letter
 *  case do not (R11). @throws unsupported_media_type */
export function requireJson(request: Request): void {
  requireType(request, ['application/json'])
}

/** Refuses a body that is announced as compressed, or as neither YAML nor JSON, which is YAML too. @throws unsupported_media_type */
export function requireYaml(request: Request): void {
  requireType(request, ['application/yaml', 'application/json', 'text/yaml', 'application/x-yaml'])
}

function requireType(request: Request, wanted: readonly string[]): void {
  const coding = request.headers.get('content-encoding')
  if (isCompression(coding)) {
    const params = { header: 'Content-Encoding', wanted: 'left out (compressed bodies are not read)' }
    throw new EmulatorError('unsupported_media_type', { ...params, found: coding?.slice(0, 100) ?? '' })
  }
  const contentType = request.headers.get('content-type')
  if (contentType !== null && wanted.includes(contentType)) return
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && wanted.includes(type)) return
  const found = contentType === null ? 'none' : contentType
  const params = { header: 'Content-Type', wanted: wanted.slice(0, 2).join(' or '), found }
  throw new EmulatorError('unsupported_media_type', params)
}

/** Reads a body, no further than the limit. @throws too_large, body_cut */
export const readBody = (c: Context, limit = usualLimit): Promise<Body> => readAs(textIn, c, limit)

function textIn(bytes: Buffer): Body {
  const utf8 = isUtf8(bytes)
  // A byte order mark is kept: it is no JSON, and whoever sends one should hear of it.
  return { text: bytes.toString(utf8 ? 'utf8' : 'latin1'), utf8 }
}

/** As much of a body as can be read, for someone who only wants to say what it is; empty if nothing can. */
export function readText(c: Context): Promise<string> {
  return readBody(c).then(
    ({ text }) => text,
    () => '',
  )
}

/** A body as a JSON object, or what is wrong with it. */
export function parseObject(
  { text, utf8 }: Body,
  { values }: BodyLimit = usualLimit,
): { value: JsonObject } | { problem: string } {
  if (!utf8) return { problem: 'is not valid UTF-8' }
  if (nestsDeeper(text, limits.jsonLevels))
    return { problem: `is nested deeper than ${limits.jsonLevels} levels` }
  if (values < Infinity && holdsMore(text, values)) return { problem: `has more than ${values} values` }
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? { value } : { problem: 'must be a JSON object' }
  } catch (error) {
    return { problem: `is not JSON${error instanceof SyntaxError ? ` (${error.message})` : ''}` }
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a Content-Length is beyond a limit. */
export const announcesTooMuch = (
  contentLength: string | null | undefined,
  limit: BodyLimit = usualLimit,
): boolean => Number(contentLength ?? 0) > limit.bytes

/** Reads the bytes of a body, no further than the limit. @throws too_large, body_cut */
export const readBytes = (c: Context, limit: BodyLimit): Promise<Buffer> => readAs((bytes) => bytes, c, limit)

function readAs<T>(made: (bytes: Buffer) => T, c: Context, limit: BodyLimit): Promise<T> {
  if (announcesTooMuch(c.req.raw.headers.get('content-length'), limit)) return Promise.reject(tooLarge(limit))
  const withinLimit = (bytes: Buffer) => {
    // A chunked body announces no length.
    if (bytes.length > limit.bytes) throw tooLarge(limit)
    return made(bytes)
  }
  return bytesOf(c, limit.bytes).then(withinLimit, cut)
}

/** Reads a body to its end, or until it has more than `most` bytes. @throws Error if the caller goes away before that */
async function bytesOf({ req, env }: Context, most: number): Promise<Buffer> {
  const incoming: unknown = env?.incoming
  // Without a connection, or after its end, Hono knows what can still be read.
  if (!(incoming instanceof IncomingMessage) || !incoming.readable || incoming.readableDidRead)
    return Buffer.from(await req.raw.arrayBuffer())
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    const take = (piece: Buffer) => {
      pieces.push(piece)
      size += piece.length
      if (size > most) end()
    }
    const end = () => {
      incoming.off('data', take).pause()
      resolve(Buffer.concat(pieces))
    }
    incoming.on('data', take).once('end', end).once('error', reject).once('close', reject)
  })
}

function cut(): never {
  // The caller has gone away; nobody will read the answer, but the journal will.
  throw new EmulatorError('body_cut')
}

// The connection is not closed at once: with bytes under way it would be reset, and the answer lost. What still comes
// is read and dropped, for half a second (@hono/node-server).
const tooLarge = ({ bytes }: BodyLimit) =>
  new EmulatorError('too_large', { limit: `${bytes / mebibyte} MiB` })

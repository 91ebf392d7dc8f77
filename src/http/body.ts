import { isUtf8 } from 'node:buffer'
import { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { isCompression } from '../domain/diagnosis/body.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import { holdsMore, nestsDeeper } from '../domain/text/json-text.ts'
import { limits } from './node-http.ts'

const mebibyte = 1024 * 1024

/** The body limit of the call that restores a snapshot, which is parsed piece by piece. */
export const snapshotBytes = 256 * mebibyte

export interface Body {
  readonly text: string
  /** False for a body that is not UTF-8; its text is then a guess for the request log. */
  readonly utf8: boolean
}

export type JsonObject = Readonly<Record<string, unknown>>

/** Rejects a body that is announced as compressed or not as JSON. Parameters and letter case of the media type do
 *  not matter (R11).
 *  @throws unsupported_media_type */
export function requireJson(request: Request): void {
  requireType(request, ['application/json'])
}

/** Rejects a body that is announced as compressed, or as neither YAML nor JSON (which is YAML too).
 *  @throws unsupported_media_type */
export function requireYaml(request: Request): void {
  requireType(request, ['application/yaml', 'application/json', 'text/yaml', 'application/x-yaml'])
}

/** Rejects a body that is announced as compressed, or as none of the wanted media types.
 *  @returns the media type
 *  @throws unsupported_media_type */
export function requireType(request: Request, wanted: readonly string[]): string {
  const coding = request.headers.get('content-encoding')
  if (isCompression(coding)) {
    const params = { header: 'Content-Encoding', wanted: 'left out (compressed bodies are not read)' }
    throw new EmulatorError('unsupported_media_type', { ...params, found: coding?.slice(0, 100) ?? '' })
  }
  const contentType = request.headers.get('content-type')
  if (contentType !== null && wanted.includes(contentType)) return contentType
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && wanted.includes(type)) return type
  const found = contentType === null ? 'none' : contentType
  const params = { header: 'Content-Type', wanted: wanted.slice(0, 2).join(' or '), found }
  throw new EmulatorError('unsupported_media_type', params)
}

/** Reads the body of a request as text, up to a byte limit.
 *  @throws too_large, body_cut */
export const readBody = (c: Context, most?: number): Promise<Body> => readBytes(c, most).then(textIn)

function textIn(bytes: Buffer): Body {
  const utf8 = isUtf8(bytes)
  // A byte order mark is retained: it is not JSON, and the sender should get an error.
  return { text: bytes.toString(utf8 ? 'utf8' : 'latin1'), utf8 }
}

/** Reads as much of a body as possible, for a diagnosis; empty if nothing is readable. */
export function readText(c: Context): Promise<string> {
  return readBody(c).then(
    ({ text }) => text,
    () => '',
  )
}

/** Parses a body as a JSON object, or describes its problem. */
export function parseObject({ text, utf8 }: Body): { value: JsonObject } | { problem: string } {
  if (!utf8) return { problem: 'is not valid UTF-8' }
  if (nestsDeeper(text, limits.jsonLevels))
    return { problem: `is nested deeper than ${limits.jsonLevels} levels` }
  if (holdsMore(text, limits.jsonValues)) return { problem: `has more than ${limits.jsonValues} values` }
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
  most: number = limits.bodyBytes,
): boolean => Number(contentLength ?? 0) > most

/** Reads the bytes of a body up to the limit, by default 1 MiB (N33).
 *  @throws too_large, body_cut */
export function readBytes(c: Context, most: number = limits.bodyBytes): Promise<Buffer> {
  if (announcesTooMuch(c.req.raw.headers.get('content-length'), most)) return Promise.reject(tooLarge(most))
  const withinLimit = (bytes: Buffer | null) => {
    // A body in chunks has no announced length, so it is checked here.
    if (bytes === null || bytes.length > most) throw tooLarge(most)
    return bytes
  }
  return bytesOf(c, most).then(withinLimit, cut)
}

/** Passes a large body to the app within this process, because a `Request` would copy it. */
export const handedOver = (body: Buffer | undefined): { readonly handedOver: Buffer | undefined } => ({
  handedOver: body,
})

/** Reads a body to its end. Resolves with null if it has more than `most` bytes.
 *  @throws Error if the caller disconnects before the end */
async function bytesOf({ req, env }: Context, most: number): Promise<Buffer | null> {
  const { incoming, handedOver }: { incoming?: unknown; handedOver?: unknown } = env ?? {}
  if (Buffer.isBuffer(handedOver)) return handedOver
  // If Node's request cannot be read any more, Hono's request has the body.
  if (!(incoming instanceof IncomingMessage) || !incoming.readable || incoming.readableDidRead)
    return Buffer.from(await req.raw.arrayBuffer())
  const announced = Number(incoming.headers['content-length'] ?? 0)
  return new Promise((resolve, reject) => {
    // Chunks are copied to their final place, so that a large body is not in memory twice.
    let bytes = Buffer.alloc(0)
    let size = 0
    const take = (piece: Buffer) => {
      const before = size
      size += piece.length
      if (size > most) return end()
      if (size > bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(size, announced, Math.min(2 * bytes.length, most)))
        bytes.copy(larger, 0, 0, before)
        bytes = larger
      }
      piece.copy(bytes, before)
    }
    const end = () => {
      incoming.off('data', take).pause()
      resolve(size > most ? null : bytes.subarray(0, size))
    }
    incoming.on('data', take).once('end', end).once('error', reject).once('close', reject)
  })
}

function cut(): never {
  // The caller is gone; only the request log gets the answer.
  throw new EmulatorError('body_cut')
}

// The connection is not closed at once: with unread bytes it would be reset, and the answer lost. Further bytes are
// read and dropped for half a second (@hono/node-server).
const tooLarge = (most: number) =>
  new EmulatorError('too_large', { limit: `${Math.floor(most / mebibyte)} MiB` })

/** Extracts the fields of a `multipart/form-data` body as slices of its bytes, because a file may be large. If a
 *  field is repeated, the last one counts.
 *  @returns null for another kind of body */
export function formParts(bytes: Buffer, contentType: string): ReadonlyMap<string, Buffer> | null {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined || !/^multipart\/form-data\b/i.test(contentType)) return null
  const mark = `\r\n--${boundary}`
  const fields = new Map<string, Buffer>()
  if (bytes.indexOf(mark.slice(2)) !== 0) return null
  let at = mark.length - 2
  while (bytes.toString('latin1', at, at + 2) !== '--') {
    const headersEnd = bytes.indexOf('\r\n\r\n', at)
    const end = bytes.indexOf(mark, headersEnd + 2)
    if (headersEnd === -1 || end === -1) return null
    const [, name] = /;\s*name="([^"]*)"/i.exec(bytes.toString('utf8', at, headersEnd)) ?? []
    if (name !== undefined) fields.set(name, bytes.subarray(headersEnd + 4, end))
    at = end + mark.length
  }
  return fields
}

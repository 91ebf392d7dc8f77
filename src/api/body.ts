import { httpRefusal } from './refusal.ts'

/** 1 MiB (N33). */
const maxBytes = 1024 * 1024

/** A request's body. */
export interface Body {
  readonly text: string
  /** False if it is not UTF-8; its text is then a guess, for the journal only. */
  readonly utf8: boolean
}

/** Reads a body that must be JSON. @throws Refusal 415 if it is not announced as JSON, 413 over 1 MiB */
export async function readBody(request: Request): Promise<Body> {
  requireJson(request.headers.get('content-type'))
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const bytes = await bounded(request)
  try {
    // A byte order mark is kept: it is no JSON, and whoever sends one should hear of it.
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), utf8: true }
  } catch {
    return { text: Buffer.from(bytes).toString('latin1'), utf8: false }
  }
}

/** The media type alone counts; parameters and letter case do not (R11). */
function requireJson(contentType: string | null): void {
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase()
  if (mediaType === 'application/json') return
  const found = contentType === null ? 'there is none' : `not ${contentType}`
  throw httpRefusal(415, 'body.content-type', `Content-Type: must be application/json (${found})`)
}

/** All bytes of the body, read no further than the limit: a chunked body announces no length. */
async function bounded(request: Request): Promise<Uint8Array> {
  if (request.headers.has('content-length')) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = () =>
  httpRefusal(413, 'body.too-large', 'The body is larger than 1 MiB', { connection: 'close' })

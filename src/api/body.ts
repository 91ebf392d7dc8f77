import { httpRefusal } from './refusal.ts'

/** 1 MiB (N33). */
const maxBytes = 1024 * 1024

/** The body of a request as text. @throws Refusal 413 over 1 MiB, 415 if it is not announced as JSON, 400 if it
 *  is not UTF-8 */
export async function readBody(request: Request): Promise<string> {
  requireJson(request.headers.get('content-type'))
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const bytes = await bounded(request)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw httpRefusal(400, 'body.not-utf8', 'body: is not valid UTF-8')
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

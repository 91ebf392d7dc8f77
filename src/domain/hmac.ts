// `hash` not by its name: a Node that is too old has none, and could not say that it is too old.
import crypto from 'node:crypto'

/** HMAC-SHA256 of a text as UTF-8, in base64. */
export type Hmac = (text: string) => string

const blockBytes = 64
const digestBytes = 32

/** What a text is hashed in, with the key before it. Enough for most. */
const workspace = Buffer.alloc(64 * 1024)

/** Texts under one key. As two hashes (RFC 2104): a `createHmac` is an object of its own, and takes longer to make and to
 *  collect. */
export function hmacUnder(key: Buffer): Hmac {
  const block = key.length > blockBytes ? crypto.hash('sha256', key, 'buffer') : key
  const inner = Buffer.alloc(blockBytes, 0x36)
  const outer = Buffer.alloc(blockBytes + digestBytes, 0x5c)
  for (const [index, byte] of block.entries()) {
    inner[index] = 0x36 ^ byte
    outer[index] = 0x5c ^ byte
  }
  return (text) => {
    outer.write(crypto.hash('sha256', behind(inner, text), 'binary'), blockBytes, 'binary')
    return crypto.hash('sha256', outer, 'base64')
  }
}

/** A text behind bytes, until the next one. */
function behind(bytes: Buffer, text: string): Buffer {
  const room = bytes.length + 3 * text.length <= workspace.length
  if (!room) return Buffer.concat([bytes, Buffer.from(text)])
  bytes.copy(workspace)
  return workspace.subarray(0, bytes.length + workspace.write(text, bytes.length))
}

/** Keeps what was made of the secrets that are in use. */
export function keptForEach(made: (secret: string) => Hmac): (secret: string) => Hmac {
  const kept = new Map<string, Hmac>()
  return (secret) => {
    const known = kept.get(secret)
    if (known !== undefined) return known
    const hmac = made(secret)
    // Whoever looks for the secret of a wrong signature tries many.
    if (kept.size >= mostKept) kept.clear()
    kept.set(secret, hmac)
    return hmac
  }
}

const mostKept = 1_000

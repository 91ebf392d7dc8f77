import type { IncomingMessage } from 'node:http'

/** What has been POSTed, all of it. */
export interface Posted {
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

const mostBytes = 1024 * 1024

/** Reads what somebody POSTs to a receiver of webhooks.
 *  @returns null for more than 1 MiB
 *  @throws Error if it breaks off */
export async function readPosted(request: IncomingMessage): Promise<Posted | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > mostBytes) return null
    chunks.push(chunk)
  }
  return { headers: headersOf(request), bytes: Buffer.concat(chunks) }
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

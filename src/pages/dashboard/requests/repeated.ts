import { exactUrl, headerOption } from '../../../domain/curl-words.ts'
import { shellQuoted } from '../../../domain/shell-quote.ts'
import { canBePasted, withBody } from '../command-body.ts'

/** A request as the journal keeps it. */
interface Kept {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly diagnosis: { readonly stringToSign?: string | undefined } | null
}

/** Variables that a shell has after `status --env`, for what the journal has masked. */
const accessToken = '$PAYMENT_ORDER_ACCESS_TOKEN'
const apiSecret = '$PAYMENT_ORDER_API_SECRET'

/** A command that makes a request of the journal again; null if the journal has only its beginning.
 *  @param source a command that prints the body, for one that cannot be pasted
 *  @param signed whether it is to be signed as it should have been, rather than as it was */
export function repeated(
  request: Kept,
  { origin, source, signed = false }: { origin: string; source: string; signed?: boolean },
): string | null {
  const { method, path, headers, body, diagnosis } = request
  if (isCut(body) || isCut(path) || !path.startsWith('/')) return null
  const wanted = signed ? diagnosis?.stringToSign : undefined
  if (signed && (wanted === undefined || isCut(wanted) || !canBePasted(wanted))) return null
  const own = Object.entries(headers).filter(
    ([name, value]) =>
      !(curlSays.has(name) || name.startsWith('sec-') || (name === 'accept' && value === '*/*')),
  )
  const kept = wanted === undefined ? own : own.filter(([name]) => name !== 'signature')
  const options = [
    `curl -i -X ${/^[A-Z]+$/.test(method) ? method : shellQuoted(method)} ${exactUrl(`${origin}${path}`)}`,
    ...kept.map(keptHeader),
    ...(wanted === undefined ? [] : [`-H "signature: ${signatureOf(wanted)}"`]),
  ]
  return body === '' ? options.join(' \\\n  ') : withBody(options, body, source)
}

/** What curl says itself, or a browser alone. */
const curlSays = new Set([
  ...['accept-encoding', 'connection', 'content-length', 'expect', 'host', 'keep-alive'],
  ...['transfer-encoding', 'user-agent'],
])

const keptHeader = ([name, value]: readonly [string, string]): string =>
  isMasked(value) && name === 'access-token' ? `-H "${name}: ${accessToken}"` : headerOption(name, value)

const signatureOf = (text: string): string =>
  `$(printf %s ${shellQuoted(text)} | openssl dgst -sha256 -hmac "${apiSecret}" -binary | base64)`

/** Whether the journal shows only the beginning of a secret here. */
export const isMasked = (text: string): boolean => /…\(\d+ characters\)/.test(text)

/** Whether the journal keeps only the beginning of a text. */
export const isCut = (text: string): boolean => /… \(\d+ characters in all\)$/.test(text)

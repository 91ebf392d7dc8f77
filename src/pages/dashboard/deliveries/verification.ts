import { createHmac } from 'node:crypto'
import { sign } from '../../../domain/signature.ts'

/** What a receiver needs to know of an attempt. */
interface Sent {
  readonly headers: Readonly<Record<string, string>>
  /** The body as it arrived. */
  readonly body: string
  /** Wall time, epoch milliseconds. */
  readonly wallAt: number
}

/** How a receiver finds out whether a webhook is genuine, with what comes out at each step. */
export type Verification =
  | { readonly scheme: 'none' }
  | (Compared & { readonly scheme: 'body'; readonly header: 'signature'; readonly key: 'apiSecret' })
  | (Compared & {
      readonly scheme: 'standard'
      readonly header: 'webhook-signature'
      readonly key: 'webhookSecret'
      readonly id: string
      readonly timestamp: string
      /** How far the timestamp was behind the wall when it left; null if it is no time. */
      readonly behindMs: number | null
    })

interface Compared {
  /** What the signature is made over. */
  readonly content: string
  /** What the header says; null if there is none. */
  readonly sent: string | null
  /** What it has to be under the client's key of now. */
  readonly computed: string
  readonly fits: boolean
}

/** Verifies an attempt as its receiver has to, by the scheme that its headers show. */
export function verificationOf(
  { headers, body, wallAt }: Sent,
  { webhookSecret, apiSecret }: { readonly webhookSecret: string; readonly apiSecret: string },
): Verification {
  if (headers['webhook-id'] !== undefined || headers['webhook-signature'] !== undefined) {
    const [id = '', timestamp = ''] = [headers['webhook-id'], headers['webhook-timestamp']]
    const content = `${id}.${timestamp}.${body}`
    const compared = compare(content, headers['webhook-signature'], standardSignature(content, webhookSecret))
    const behindMs = /^\d{1,12}$/.test(timestamp) ? wallAt - Number(timestamp) * 1000 : null
    const names = { scheme: 'standard', header: 'webhook-signature', key: 'webhookSecret' } as const
    return { ...names, ...compared, id, timestamp, behindMs }
  }
  if (headers.signature === undefined) return { scheme: 'none' }
  const names = { scheme: 'body', header: 'signature', key: 'apiSecret' } as const
  return { ...names, ...compare(body, headers.signature, sign(body, apiSecret)) }
}

/** A command that computes the signature of an attempt out of a key in the shell's environment. */
export const signCommand = {
  standard: (content: string): string =>
    [
      `printf %s ${content} |`,
      '  openssl dgst -sha256 -mac HMAC -binary \\',
      // The key is bytes, and openssl takes such in hex.
      `    -macopt hexkey:"$(printf %s "\${PAYMENT_ORDER_WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')" |`,
      '  base64',
    ].join('\n'),
  body: (content: string): string =>
    `printf %s ${content} |\n  openssl dgst -sha256 -hmac "$PAYMENT_ORDER_API_SECRET" -binary |\n  base64`,
}

function standardSignature(content: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(content, 'utf8').digest('base64')}`
}

function compare(content: string, sent: string | undefined, computed: string): Compared {
  // Several may stand in the header, one for each key in use.
  const fits = sent?.split(' ').includes(computed) ?? false
  return { content, sent: sent ?? null, computed, fits }
}

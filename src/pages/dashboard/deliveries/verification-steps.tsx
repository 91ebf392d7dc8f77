import { createHmac } from 'node:crypto'
import type { Child } from 'hono/jsx'
import { shellQuoted } from '../../../domain/text/shell.ts'
import { sign } from '../../../domain/webhook/signature.ts'
import { canBePasted } from '../../framework/action.ts'
import { Curl, Variables } from '../../framework/form.tsx'
import { byteWords } from '../../framework/long-text.tsx'
import { clientPath, linkTo, type Shell } from '../../framework/view.ts'

/** The request that the endpoint has received in an attempt. */
interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The wall-clock time of the attempt, in epoch milliseconds. */
  readonly wallAt: number
  /** The time of the attempt on the client's clock. */
  readonly at: number
}

/** The keys of the client that has sent the attempt. */
interface Keys {
  readonly webhookSecret: string
  readonly apiSecret: string
  readonly previousWebhookSecret?: { readonly secret: string; readonly validUntil: number } | undefined
}

/** The steps by which a receiver verifies a webhook, with the result of each. */
type Verification =
  | { readonly scheme: 'none' }
  | (Compared & { readonly scheme: 'body'; readonly header: 'signature'; readonly key: 'apiSecret' })
  | (Compared & {
      readonly scheme: 'standard'
      readonly header: 'webhook-signature'
      readonly key: 'webhookSecret'
      readonly id: string
      readonly timestamp: string
      /** The lag of the timestamp behind the wall clock when it left; null if it is no time. */
      readonly behindMs: number | null
    })

interface Compared {
  /** The text that was signed. */
  readonly content: string
  /** The signature in the attempt's header; null without one. */
  readonly sent: string | null
  /** The expected signature under the client's present key, or under the one before it. */
  readonly computed: string
  readonly fits: boolean
  /** Whether only the secret before the last rotation made it. */
  readonly isPrevious: boolean
}

/** Verifies an attempt like its receiver, by the scheme of its headers. */
export function verificationOf(
  { headers, body, wallAt, at }: Sent,
  { webhookSecret, apiSecret, previousWebhookSecret }: Keys,
): Verification {
  if (headers['webhook-id'] !== undefined || headers['webhook-signature'] !== undefined) {
    const [id = '', timestamp = ''] = [headers['webhook-id'], headers['webhook-timestamp']]
    const content = `${id}.${timestamp}.${body}`
    const { secret, validUntil = 0 } = previousWebhookSecret ?? {}
    const previous = secret === undefined || at >= validUntil ? [] : [standardSignature(content, secret)]
    const compared = compare(content, headers['webhook-signature'], [
      standardSignature(content, webhookSecret),
      ...previous,
    ])
    const behindMs = /^\d{1,12}$/.test(timestamp) ? wallAt - Number(timestamp) * 1000 : null
    const names = { scheme: 'standard', header: 'webhook-signature', key: 'webhookSecret' } as const
    return { ...names, ...compared, id, timestamp, behindMs }
  }
  if (headers.signature === undefined) return { scheme: 'none' }
  const names = { scheme: 'body', header: 'signature', key: 'apiSecret' } as const
  return { ...names, ...compare(body, headers.signature, [sign(body, apiSecret)]) }
}

/** A command that computes the signature of an attempt, with the key from the environment. */
const signCommand = {
  standard: (content: string): string =>
    [
      `printf %s ${content} |`,
      '  openssl dgst -sha256 -mac HMAC -binary \\',
      // The key is bytes, and openssl takes those in hex.
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

/** @param valid the signatures that a receiver has to accept, the one of the present key first */
function compare(content: string, sent: string | undefined, valid: readonly [string, ...string[]]): Compared {
  // The header may have several, one for each key in use.
  const each = sent?.split(' ') ?? []
  const found = valid.find((signature) => each.includes(signature))
  const computed = found ?? valid[0]
  return {
    ...{ content, sent: sent ?? null, computed },
    fits: found !== undefined,
    isPrevious: found !== undefined && found !== valid[0],
  }
}

/** The maximum age of a webhook timestamp in Standard Webhooks. */
const toleranceMs = 5 * 60_000

interface StepsProps {
  readonly shell: Shell
  readonly clientId: string
  readonly body: string
  readonly verification: Verification
}

/** The verification of an attempt step by step, for comparison with a program. */
export function VerificationSteps({ shell, clientId, body, verification }: StepsProps) {
  if (verification.scheme === 'none')
    return (
      <p>
        It has no signature (setting <code>webhook.auth</code>), so a receiver has nothing to verify.
      </p>
    )
  const client = <a href={linkTo(shell, clientPath(clientId))}>{clientId}</a>
  const { scheme, content, header, sent, computed, fits, isPrevious } = verification
  return (
    <>
      <p class={`verdict ${fits ? 'good' : 'bad'}`}>
        {fits ? 'The signature is valid: a receiver has to accept it.' : misfit(sent, header)}
        {isPrevious ? ' It was made with the secret before the last rotation.' : ''}
      </p>
      <ol class="steps">
        <li>
          <h3>Take the body before anything parses it</h3>
          <p>{byteWords(body)}, exactly as received. After parsing and serialising, the bytes may differ.</p>
        </li>
        {scheme === 'standard' ? (
          <li>
            <h3>Join id, timestamp and body with full stops</h3>
            <SignedContent verification={verification} body={body} />
          </li>
        ) : null}
        <li>
          <h3>Take the key</h3>
          <KeyWords scheme={scheme} client={client} />
        </li>
        <li>
          <h3>
            Compute the HMAC-SHA256 in base64
            {scheme === 'standard' ? (
              <>
                , prefixed with <code>v1,</code>
              </>
            ) : null}
          </h3>
          <Compare computed={computed} sent={sent} header={header} />
          {canBePasted(content) ? (
            <SignCommand shell={shell} clientId={clientId} scheme={scheme} content={content} />
          ) : null}
        </li>
        {scheme === 'standard' ? (
          <li>
            <h3>Check the age</h3>
            <p>{ageWords(verification.behindMs)}</p>
          </li>
        ) : null}
      </ol>
    </>
  )
}

type Scheme = keyof typeof signCommand

function KeyWords({ scheme, client }: { scheme: Scheme; client: Child }) {
  if (scheme !== 'standard')
    return (
      <p>
        The <code>apiSecret</code> of {client}, as UTF-8 bytes.
      </p>
    )
  return (
    <p>
      The <code>webhookSecret</code> of {client}: the part after <code>whsec_</code>, decoded from base64 into
      bytes.
    </p>
  )
}

function SignCommand({
  shell,
  clientId,
  scheme,
  content,
}: Pick<StepsProps, 'shell' | 'clientId'> & { scheme: Scheme; content: string }) {
  return (
    <>
      <Curl
        id="verify-command"
        name="the same with openssl"
        text={signCommand[scheme](shellQuoted(content))}
      />
      <Variables shell={shell} clientId={clientId} />
    </>
  )
}

function SignedContent({
  verification: { id, timestamp },
  body,
}: {
  verification: Extract<Verification, { scheme: 'standard' }>
  body: string
}) {
  const shown = body.length > 2_000 ? `${body.slice(0, 2_000).toWellFormed()}…` : body
  return (
    <pre tabindex={0} class="signed">
      <code>
        <Part name="webhook-id">{id}</Part>.<Part name="webhook-timestamp">{timestamp}</Part>.
        <Part name="body">{shown}</Part>
      </code>
    </pre>
  )
}

const Part = ({ name, children }: { name: string; children?: Child }) => (
  <span class="part" title={name}>
    {children}
  </span>
)

function Compare({ computed, sent, header }: { computed: string; sent: string | null; header: string }) {
  return (
    <table class="headers">
      <tbody>
        <tr>
          <th scope="row">expected</th>
          <td>
            <code id="computed-signature">{computed}</code>
          </td>
        </tr>
        <tr>
          <th scope="row">
            header <code>{header}</code>
          </th>
          <td>{sent === null ? <span class="faint">was not sent</span> : <code>{sent}</code>}</td>
        </tr>
      </tbody>
    </table>
  )
}

function misfit(sent: string | null, header: string): string {
  if (sent === null) return `There is no signature: a receiver has to reject a webhook without \`${header}\`.`
  return 'The signature is invalid: a receiver has to reject it. It was made wrong on purpose, or the key has changed since.'
}

function ageWords(behindMs: number | null): string {
  if (behindMs === null) return 'The timestamp is not a valid time. Reject such a webhook.'
  const seconds = Math.round(Math.abs(behindMs) / 1000)
  const limits = 'Receivers reject timestamps that differ by more than five minutes from their own clock.'
  if (seconds <= 1) return `It was signed in the same second in which it was sent. ${limits}`
  const place =
    behindMs > 0
      ? `It was signed ${seconds} s before it was sent.`
      : `Its timestamp is ${seconds} s after the time at which it was sent.`
  return `${place} ${Math.abs(behindMs) > toleranceMs ? 'That is too far: reject it.' : limits}`
}

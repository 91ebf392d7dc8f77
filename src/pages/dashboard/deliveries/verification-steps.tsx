import type { Child } from 'hono/jsx'
import { shellQuoted } from '../../../domain/shell-quote.ts'
import { canBePasted } from '../command-body.ts'
import { Curl } from '../form.tsx'
import { byteWords } from '../long-text.tsx'
import { clientPath } from '../paths.ts'
import { Variables } from '../variables.tsx'
import { linkTo, type Shell } from '../view.ts'
import { signCommand, type Verification } from './verification.ts'

/** What receivers of Standard Webhooks forgive. */
const toleranceMs = 5 * 60_000

interface StepsProps {
  readonly shell: Shell
  readonly clientId: string
  readonly body: string
  readonly verification: Verification
}

/** The way to verify an attempt, step by step, so that a developer can compare each with what their program has. */
export function VerificationSteps({ shell, clientId, body, verification }: StepsProps) {
  if (verification.scheme === 'none')
    return (
      <p>
        It has no signature (setting <code>webhook.auth</code>), so a receiver has nothing to verify.
      </p>
    )
  const client = <a href={linkTo(shell, clientPath(clientId))}>{clientId}</a>
  const { scheme, content, header, sent, computed, fits } = verification
  return (
    <>
      <p class={`verdict ${fits ? 'good' : 'bad'}`}>
        {fits ? 'The signature is valid: a receiver has to accept it.' : misfit(sent, header)}
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

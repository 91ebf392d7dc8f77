import type { Child } from 'hono/jsx'
import type { Settings } from '../../../domain/choices/settings.ts'
import { shellQuoted } from '../../../domain/text/shell.ts'
import { type Recipe, recipeOf, signsTime } from '../../../domain/webhook/recipe.ts'
import { secretFields } from '../../../domain/webhook/secret.ts'
import { acceptedSecrets } from '../../../domain/webhook/signature-problem.ts'
import {
  readBack,
  type SignedMessage,
  signaturePart,
  signedText,
  timeWritten,
} from '../../../domain/webhook/signed-headers.ts'
import { canBePasted } from '../../framework/action.ts'
import { Curl, Variables } from '../../framework/form.tsx'
import { byteWords } from '../../framework/long-text.tsx'
import { clientPath, linkTo, type Shell } from '../../framework/view.ts'

/** The request that the endpoint has received in an attempt. */
interface Sent {
  readonly clientId: string
  readonly url: string
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
interface Verification {
  readonly recipe: Recipe
  readonly message: SignedMessage
  /** The signature in the attempt's header; null without one. */
  readonly sent: string | null
  /** The expected signature under the client's present key, or under the one before it, as the header has it. */
  readonly computed: string
  readonly fits: boolean
  /** Whether only the secret before the last rotation made it. */
  readonly isPrevious: boolean
  /** The lag of the signed time behind the wall clock when it left; null if it is no time. */
  readonly behindMs: number | null
}

/** Verifies an attempt like its receiver, by the recipe of its settings; null if they ask for no signature. */
export function verificationOf(
  { headers, body, wallAt, at, clientId, url }: Sent,
  { webhookSecret, apiSecret, previousWebhookSecret }: Keys,
  settings: Settings,
): Verification | null {
  const recipe = recipeOf(settings)
  if (recipe === null) return null
  const { id = '', timestamp = '' } = readBack(recipe, headers, clientId)
  const message = { id, timestamp, clientId, body, url }
  const { secret, validUntil = 0 } = previousWebhookSecret ?? {}
  const previousSecret = at < validUntil ? secret : undefined
  const [present, ...others] = acceptedSecrets(recipe, { webhookSecret, apiSecret, previousSecret })
  const right = signaturePart(recipe, message, { secret: present })
  const before = others.map((each) => signaturePart(recipe, message, { secret: each }))
  const sent = headers[recipe.header] ?? null
  const parts = sent?.split(recipe.separator) ?? []
  const found = [right, ...before].find((each) => parts.includes(each))
  const behindMs = wallAt - timeWritten(recipe, timestamp)
  return {
    ...{ recipe, message, sent, computed: found ?? right },
    fits: found !== undefined,
    isPrevious: found !== undefined && found !== right,
    behindMs: Number.isNaN(behindMs) ? null : behindMs,
  }
}

const secretVariables = {
  'webhook-secret': 'PAYMENT_ORDER_WEBHOOK_SECRET',
  'api-secret': 'PAYMENT_ORDER_API_SECRET',
} as const

const inHex = "od -An -v -tx1 | tr -d ' \\n'"

/** The end of a command that writes the bytes of a signature as text. */
const encoders = {
  hex: inHex,
  base64: "base64 | tr -d '\\n'",
  base64url: "base64 | tr -d '=\\n' | tr '+/' '-_'",
} as const

/** A command that computes the signature of an attempt, with the key from the environment. */
function signCommand({ algorithm, encoding, secret, secretAs }: Recipe, content: string): string {
  const name = secretVariables[secret]
  const bare = `printf %s "\${${name}#whsec_}"`
  const digest = `printf %s ${content} |\n  openssl dgst -${algorithm}`
  if (secretAs === 'text') return `${digest} -hmac "$${name}" -binary |\n  ${encoders[encoding]}`
  // The key is bytes, and openssl takes those in hex.
  const hex = secretAs === 'hex' ? bare : `${bare} | base64 -d | ${inHex}`
  return `${digest} -mac HMAC -binary \\\n    -macopt hexkey:"$(${hex})" |\n  ${encoders[encoding]}`
}

/** The maximum age of a webhook timestamp in Standard Webhooks. */
const toleranceMs = 5 * 60_000

interface StepsProps {
  readonly shell: Shell
  readonly verification: Verification | null
}

/** The verification of an attempt step by step, for comparison with a program. */
export function VerificationSteps({ shell, verification }: StepsProps) {
  if (verification === null)
    return (
      <p>
        It has no signature (setting <code>webhook.auth</code>), so a receiver has nothing to verify.
      </p>
    )
  const { recipe, message, sent, computed, fits, isPrevious } = verification
  const { header, signed, algorithm, encoding, format } = recipe
  const { clientId, body } = message
  const content = signedText(recipe, message)
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
        {signed === '${body}' ? null : (
          <li>
            <h3>
              Put together <code>{signed}</code>
            </h3>
            <SignedContent verification={verification} />
          </li>
        )}
        <li>
          <h3>Take the key</h3>
          <KeyWords recipe={recipe} client={<a href={linkTo(shell, clientPath(clientId))}>{clientId}</a>} />
        </li>
        <li>
          <h3>
            Compute the HMAC-{algorithm.toUpperCase()} in {encoding}
            {format === '${signature}' ? null : (
              <>
                ; the header reads <code>{format}</code>
              </>
            )}
          </h3>
          <Compare computed={computed} sent={sent} header={header} />
          {canBePasted(content) ? (
            <>
              <Curl
                id="verify-command"
                name="the same with openssl"
                text={signCommand(recipe, shellQuoted(content))}
              />
              <Variables shell={shell} clientId={clientId} />
            </>
          ) : null}
        </li>
        {signsTime(recipe) ? (
          <li>
            <h3>Check the age</h3>
            <p>{ageWords(verification.behindMs)}</p>
          </li>
        ) : null}
      </ol>
    </>
  )
}

function KeyWords({ recipe: { secret, secretAs }, client }: { recipe: Recipe; client: Child }) {
  const name = <code>{secretFields[secret]}</code>
  if (secretAs === 'text')
    return (
      <p>
        The {name} of {client}, as UTF-8 bytes.
      </p>
    )
  const part = secret === 'webhook-secret' ? 'the part after whsec_, ' : ''
  return (
    <p>
      The {name} of {client}: {part}decoded from {secretAs} into bytes.
    </p>
  )
}

/** The signed text, with its parts marked. */
function SignedContent({ verification: { recipe, message } }: { verification: Verification }) {
  const { body } = message
  const shown = body.length > 2_000 ? `${body.slice(0, 2_000).toWellFormed()}…` : body
  const pieces = recipe.signed.split(/(\$\{[^}]*\})/).filter((piece) => piece !== '')
  return (
    <pre tabindex={0} class="signed">
      <code>
        {pieces.map((piece) =>
          piece.startsWith('${') ? (
            <Part name={placeOf(piece, recipe)}>
              {signedText({ ...recipe, signed: piece }, { ...message, body: shown })}
            </Part>
          ) : (
            piece
          ),
        )}
      </code>
    </pre>
  )
}

/** The header that has exactly this value, else its name. */
const placeOf = (piece: string, { headers }: Recipe): string =>
  Object.entries(headers).find(([, template]) => template === piece)?.[0] ?? piece.slice(2, -1)

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

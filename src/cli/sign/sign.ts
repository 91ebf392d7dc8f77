import {
  type CheckoutForm,
  checkoutString,
  sign,
  subscriptionString,
} from '../../domain/webhook/signature.ts'
import { createCurl } from '../../pages/client-commands.ts'
import type { Terminal } from '../terminal.ts'
import {
  bodyNamed,
  readSignOptions,
  refuseWebhookFlags,
  type SignedBody,
  type SignOptions,
  signedBody,
  signedForms,
} from './sign-command.ts'
import { signWebhook } from './sign-webhook.ts'

/** Runs `sign`: prints the signed text of a body, and the signature. With `--webhook`, that of a webhook.
 *  @throws CliError */
export async function signBody(
  argument: string | undefined,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  if (flags.webhook === true) return signWebhook(await bodyNamed(argument, terminal), flags, terminal)
  refuseWebhookFlags(flags)
  const options = readSignOptions(flags, terminal.env)
  const body = signedBody(await bodyNamed(argument, terminal))
  for (const note of body.notes) terminal.err(`note: ${note}`)
  const signatures = signaturesOf(body, options.secret)
  const curl = options.curl ? curlOf(body, signatures, options) : null
  if (options.json) {
    const { kind } = body
    terminal.out(JSON.stringify({ kind, signatures, ...(curl === null ? {} : { curl: curl.join(' ') }) }))
  } else
    terminal.out(
      [...signatures.map(words(body)), ...(curl === null ? [] : [curl.join(' \\\n  ')])].join('\n\n'),
    )
  return 0
}

interface Signature {
  readonly form: CheckoutForm | 'subscription'
  readonly stringToSign: string
  readonly signature: string
}

/** The signatures of a body: two for a checkout, which may be signed in both forms (N19), one for a subscription. */
function signaturesOf({ kind, members }: SignedBody, secret: string): Signature[] {
  const strings =
    kind === 'subscription'
      ? [['subscription', subscriptionString(members)] as const]
      : signedForms.map((form) => [form, checkoutString(members, form)] as const)
  return strings.map(([form, stringToSign]) => ({
    form,
    stringToSign,
    signature: sign(stringToSign, secret),
  }))
}

const words =
  ({ kind }: SignedBody) =>
  ({ form, stringToSign, signature }: Signature): string =>
    [
      kind === 'subscription' ? 'subscription' : `checkout, ${form}`,
      `  string to sign  ${stringToSign}`,
      `  signature       ${signature}`,
    ].join('\n')

function curlOf(
  { kind, text }: SignedBody,
  signatures: readonly Signature[],
  { url, accessToken, form }: SignOptions,
): string[] {
  const meant = signatures.find((each) => each.form === form) ?? signatures[0]
  return createCurl({ url, kind, accessToken, signature: meant?.signature ?? '', body: text.trim() })
}

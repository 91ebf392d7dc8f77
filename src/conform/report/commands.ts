import { exactUrl, headerOption } from '../../domain/curl-words.ts'
import { isPlain, printed, shellQuoted } from '../../domain/shell-quote.ts'
import type { WebhookSignature } from '../config/config.ts'
import type { SentWebhook } from '../report.ts'

/** curl makes these itself. */
const ofTheConnection: readonly string[] = ['host', 'content-length', 'connection', 'transfer-encoding']

/** A `curl` for a POSIX shell that sends a webhook again, byte for byte. A body too long to be pasted is asked of the
 *  emulator.
 *  @param emulator its base URL; null if it cannot be asked any more, so that a long body has no command */
export function sentAgain(
  { url, headers, body, deliveryId, attempt }: SentWebhook,
  emulator: string | null,
): string | null {
  const named = Object.entries(headers).filter(([name]) => !ofTheConnection.includes(name.toLowerCase()))
  const names = named.map(([name]) => name.toLowerCase())
  const options = [
    `curl -i -X POST ${exactUrl(url)}`,
    ...named.map(([name, value]) => headerOption(name, value)),
    // Without these, curl would add some of its own.
    ...['accept', 'content-type'].filter((name) => !names.includes(name)).map((name) => `-H '${name}:'`),
  ]
  if (isTooLongToPaste(body)) {
    if (emulator === null) return null
    return `${bodySource(emulator, deliveryId, attempt)} |\n${joined([...options, '--data-binary @-'])}`
  }
  // Of --data-binary, a text that begins with @ would be the name of a file.
  return isPlain(body)
    ? joined([...options, `--data-raw ${shellQuoted(body)}`])
    : `${printed(body)} |\n${joined([...options, '--data-binary @-'])}`
}

/** A command that has the emulator send a webhook once more, signed anew. After a run the client has its own webhook URL
 *  again, or none, and its own settings, so the command says them first. */
export function resentBy(
  emulator: string,
  { url, deliveryId }: SentWebhook,
  { clientId, webhookSignature }: { clientId: string; webhookSignature: WebhookSignature },
): string {
  const settings = webhookSignature === 'none' ? {} : { settings: { 'webhook.auth': webhookSignature } }
  const body = JSON.stringify({ webhookUrl: url, ...settings })
  return [
    joined([
      `curl -sSf -o /dev/null -X PATCH ${exactUrl(`${emulator}/_emulator/clients/${encodeURIComponent(clientId)}`)}`,
      headerOption('content-type', 'application/json'),
      `--data-raw ${shellQuoted(body)} &&`,
    ]),
    `curl -sS -X POST ${exactUrl(`${emulator}/_emulator/deliveries/${encodeURIComponent(deliveryId)}/resend`)}`,
  ].join('\n')
}

/** Whether a body is longer than anybody wants to paste; much longer ones no shell takes as one word of a command. */
export const isTooLongToPaste = (body: string): boolean => body.length > 8_000

const joined = (options: readonly string[]): string => options.join(' \\\n  ')

function bodySource(emulator: string, deliveryId: string, attempt: number): string {
  const url = `${emulator}/_emulator/deliveries/${encodeURIComponent(deliveryId)}`
  return `curl -s ${exactUrl(url)} | jq -j ${shellQuoted(`.attempts[${attempt - 1}].bodyText // .bodyText`)}`
}

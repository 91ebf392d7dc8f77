import { exactUrl, headerOption } from '../../domain/curl-words.ts'
import { isPlain, printed, shellQuoted } from '../../domain/shell-quote.ts'
import type { SentWebhook } from '../report.ts'

/** curl makes these itself. */
const ofTheConnection: readonly string[] = ['host', 'content-length', 'connection', 'transfer-encoding']

/** A `curl` for a POSIX shell that sends a webhook again, byte for byte. A body too long to be pasted is asked of the
 *  emulator, as long as that runs.
 *  @param emulator its base URL */
export function sentAgain(
  { url, headers, body, deliveryId, attempt }: SentWebhook,
  emulator: string,
): string {
  const named = Object.entries(headers).filter(([name]) => !ofTheConnection.includes(name.toLowerCase()))
  const options = [
    `curl -i -X POST ${exactUrl(url)}`,
    ...named.map(([name, value]) => headerOption(name, value)),
    // Without one, curl would add one of its own.
    ...(named.some(([name]) => name.toLowerCase() === 'content-type') ? [] : ["-H 'content-type:'"]),
  ]
  if (isTooLongToPaste(body))
    return `${bodySource(emulator, deliveryId, attempt)} |\n${joined([...options, '--data-binary @-'])}`
  // Of --data-binary, a text that begins with @ would be the name of a file.
  return isPlain(body)
    ? joined([...options, `--data-raw ${shellQuoted(body)}`])
    : `${printed(body)} |\n${joined([...options, '--data-binary @-'])}`
}

/** A `curl` that has the emulator send a webhook once more, signed anew. */
export const resentBy = (emulator: string, { deliveryId }: SentWebhook): string =>
  `curl -s -X POST ${exactUrl(`${emulator}/_emulator/deliveries/${encodeURIComponent(deliveryId)}/resend`)}`

/** Whether a body is longer than anybody wants to paste; much longer ones no shell takes as one word of a command. */
export const isTooLongToPaste = (body: string): boolean => body.length > 8_000

const joined = (options: readonly string[]): string => options.join(' \\\n  ')

function bodySource(emulator: string, deliveryId: string, attempt: number): string {
  const url = `${emulator}/_emulator/deliveries/${encodeURIComponent(deliveryId)}`
  return `curl -s ${exactUrl(url)} | jq -j ${shellQuoted(`.attempts[${attempt - 1}].bodyText // .bodyText`)}`
}

import { exactUrl, headerOption } from '../../../domain/curl-words.ts'
import { withBody } from '../command-body.ts'

/** What left in an attempt. */
interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A command that sends these very bytes and headers once more.
 *  @param source a command that prints the body, for one that cannot be pasted */
export function sentAgain({ url, headers, body }: Sent, source: string): string {
  const options = Object.entries(headers).map(([name, value]) => headerOption(name, value))
  return withBody([`curl -i -X POST ${exactUrl(url)}`, ...options], body, source)
}

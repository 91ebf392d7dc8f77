import { shellQuoted } from '../../shell-quote.ts'
import { shownCharacters } from '../long-text.tsx'

/** What left in an attempt. */
interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A command that sends these very bytes and headers once more.
 *  @param source where the bytes can be had, if they are too many for a command line: a command that prints them */
export function sentAgain({ url, headers, body }: Sent, source: string): string {
  const isShort = body.length <= shownCharacters && !body.includes('\0')
  const lines = [
    `curl -i -X POST ${shellQuoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(headerLine(name, value))}`),
    // Of --data, a text that begins with @ would be the name of a file.
    isShort ? `--data-raw ${shellQuoted(body)}` : '--data-binary @-',
  ].join(' \\\n  ')
  return isShort ? lines : `${source} |\n${lines}`
}

/** A header as curl takes it: one without a value is written otherwise, or it would be taken away. */
const headerLine = (name: string, value: string): string => (value === '' ? `${name};` : `${name}: ${value}`)

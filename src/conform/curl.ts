import type { SentWebhook } from './report.ts'

/** A `curl` that sends a webhook again, for a POSIX shell. */
export function curlOf({ url, headers, body }: SentWebhook): string {
  const written = Object.entries(headers)
    .filter(([name]) => !['host', 'content-length', 'connection'].includes(name.toLowerCase()))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  return ['curl -i', quoted(url), ...written, '--data-binary', quoted(body)].join(' ')
}

/** As one word of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

import * as z from 'zod'
import { hasPortZero, isUrl, refusedUrl } from './urls.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const control = /[\u0000-\u0020\u007f]/

/** Schema of a webhook URL: absolute http(s), any host, at most 2048 characters, without fragment, user name and
 *  password (N49). */
export const webhookUrl = z
  .string()
  .max(2048, 'must have at most 2048 characters')
  .refine(isWebhookUrl, {
    error: ({ input }) =>
      `must be an absolute http or https URL without fragment, user name or password${refusedUrl(input)}`,
    abort: true,
  })
  .refine((url) => !hasPortZero(url), {
    error: ({ input }) => `must have a port from 1 to 65535${refusedUrl(input)}`,
  })

function isWebhookUrl(url: string): boolean {
  if (!/^https?:\/\/[^/?#\\]/i.test(url) || control.test(url) || !isUrl(url)) return false
  const { username, password } = new URL(url)
  return !url.includes('#') && username === '' && password === '' && url.isWellFormed()
}

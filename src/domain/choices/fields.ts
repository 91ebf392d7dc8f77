import * as z from 'zod'
import { hasPortZero, refusedUrl } from '../refused-url.ts'

/** The name of a JSON member that a setting may choose. */
export const fieldName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    'expected a name of letters, digits, _ and -, beginning with a letter',
  )

/** The outside address of the emulator, without the slash at its end. */
export const httpBase = z
  .url({
    protocol: /^https?$/,
    error: ({ input }) => `expected an absolute http or https URL${refusedUrl(input)}`,
    abort: true,
  })
  .max(2048)
  .regex(/^[^?#@\s]*$/, {
    error: ({ input }) => `must have no query, no fragment and no credentials${refusedUrl(input)}`,
  })
  .refine((url) => !hasPortZero(url), {
    error: ({ input }) => `must have a port from 1 to 65535${refusedUrl(input)}`,
  })
  .transform((url) => url.replace(/\/+$/, ''))

const takenPaths = ['/_emulator', '/v1/client', '/pay']

/** Where the access token API may be mounted (N64a). */
export const tokenPath = z
  .string()
  .max(200)
  .regex(/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/, 'expected a path such as /oauth/token, without placeholders')
  .refine((path) => !takenPaths.some((taken) => path === taken || path.startsWith(`${taken}/`)), {
    error: `must not be under ${takenPaths.join(', ')}`,
  })

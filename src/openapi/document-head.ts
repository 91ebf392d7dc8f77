import type { ZodOpenApiObject } from 'zod-openapi'
import { version } from '../package.ts'

/** What both documents begin with. */
export const documentHead = (
  title: string,
  description: string,
): Pick<ZodOpenApiObject, 'openapi' | 'info' | 'servers'> => ({
  openapi: '3.1.0',
  info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
  // Wherever the document was read from.
  servers: [{ url: '/' }],
})

/** What both APIs answer to what comes to none of their calls. */
export const beforeAnyCall = [
  'What is no request that HTTP/1.1 allows comes to no call: it is answered with 400, 408 (it came too slowly), 413,',
  '417 (an unknown `Expect`) or 431 (headers over 16 KiB), in the same words as other errors, and stands in the journal.',
].join(' ')

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

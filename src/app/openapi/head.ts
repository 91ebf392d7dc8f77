import { createDocument, type ZodOpenApiObject, type ZodOpenApiOverride } from 'zod-openapi'
import { anyJson, describeInteger } from '../../domain/text/json-text.ts'
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
  'A request that is not valid HTTP/1.1 reaches no call: the answer is 400, 408 (too slow), 413,',
  '417 (an unknown `Expect`) or 431 (headers over 16 KiB), in the format of other errors, and the request log has an entry.',
].join(' ')

/** The OpenAPI document, so written that generators of clients make something of it. */
export const described = (document: ZodOpenApiObject): ReturnType<typeof createDocument> =>
  createDocument(document, { override: forGenerators, allowEmptySchema: { union: true } })

const forGenerators: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  // A schema that refers to itself ends some generators, and would tell no more than this.
  if (Object.is(zodSchema, anyJson)) delete jsonSchema.anyOf
  describeInteger(jsonSchema)
}

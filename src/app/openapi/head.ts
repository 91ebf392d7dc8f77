import { createDocument, type ZodOpenApiObject, type ZodOpenApiOverride } from 'zod-openapi'
import { anyJson, describeInteger } from '../../domain/text/json-text.ts'
import { version } from '../package.ts'

/** Builds the `info` part that both OpenAPI documents begin with. */
export const documentHead = (
  title: string,
  description: string,
): Pick<ZodOpenApiObject, 'openapi' | 'info' | 'servers'> => ({
  openapi: '3.1.0',
  info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
  // Relative to the address from which the document was read.
  servers: [{ url: '/' }],
})

/** Explains, in both documents, how invalid HTTP is rejected before any call. */
export const beforeAnyCall = [
  'A request that is not valid HTTP/1.1 reaches no call: the answer is 400, 408 (too slow), 413,',
  '417 (an unknown `Expect`) or 431 (headers over 16 KiB), in the format of other errors, and the request log has an entry.',
].join(' ')

/** Builds an OpenAPI document that client generators can handle. */
export const described = (document: ZodOpenApiObject): ReturnType<typeof createDocument> =>
  createDocument(document, { override: forGenerators, allowEmptySchema: { union: true } })

const forGenerators: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  // A recursive schema breaks some code generators, and describes no more than any JSON.
  if (Object.is(zodSchema, anyJson)) delete jsonSchema.anyOf
  describeInteger(jsonSchema)
}

import { createDocument, type ZodOpenApiObject, type ZodOpenApiOverride } from 'zod-openapi'
import { anyJson } from '../domain/any-json.ts'
import { describeInteger } from '../domain/integer-schema.ts'

/** The OpenAPI document, so written that generators of clients make something of it. */
export const described = (document: ZodOpenApiObject): ReturnType<typeof createDocument> =>
  createDocument(document, { override: forGenerators, allowEmptySchema: { union: true } })

const forGenerators: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  // A schema that refers to itself ends some generators, and would tell no more than this.
  if (Object.is(zodSchema, anyJson)) delete jsonSchema.anyOf
  describeInteger(jsonSchema)
}

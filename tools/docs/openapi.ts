import * as z from 'zod'
import type { ZodOpenApiObject } from 'zod-openapi'
import { described } from '../../src/app/openapi/head.ts'
import { asSchema, isSchema, type JsonSchema, referencedName } from './json-schema.ts'

const schema = z.custom<JsonSchema>(isSchema)
const content = z.record(z.string(), z.object({ schema }))
const response = z.object({ description: z.string(), content: content.default({}) })

const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().default(''),
  tags: z.array(z.string()),
  parameters: z
    .array(
      z.object({
        in: z.enum(['path', 'query', 'header']),
        name: z.string(),
        required: z.boolean().default(false),
        example: z.string().optional(),
        schema,
      }),
    )
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.union([z.object({ $ref: z.string() }), response])),
})

const item = z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation)

const document = z.object({
  info: z.object({ title: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string().default('') })),
  paths: z.record(z.string(), item),
  webhooks: z.record(z.string(), item).default({}),
  components: z.object({ schemas: z.record(z.string(), schema), responses: z.record(z.string(), response) }),
})

export type OpenApi = z.output<typeof document>
export type Operation = z.output<typeof operation>

/** An operation with the place where it is served. */
export interface Call extends Operation {
  readonly method: string
  readonly path: string
}

/** An OpenAPI document as tools read it: the same text that the emulator serves. */
export const openApi = (made: ZodOpenApiObject): OpenApi =>
  document.parse(JSON.parse(JSON.stringify(described(made))))

/** The calls of a document, in its order. */
export const callsOf = ({ paths }: OpenApi): Call[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )

/** Replaces a reference to a named schema by that schema. */
export const resolver =
  ({ components }: OpenApi) =>
  (schema: JsonSchema): JsonSchema =>
    asSchema(components.schemas[referencedName(schema) ?? ''] ?? schema)

/** The JSON type of a call's body or answer, or else its only other type. */
export function bodySchema(content: z.output<typeof response>['content']): JsonSchema | undefined {
  const [first] = Object.values(content)
  return (content['application/json'] ?? first)?.schema
}

import * as z from 'zod'

/** The part of JSON Schema that the reference page uses. */
const schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  example: z.unknown().optional(),
  examples: z.array(z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schema).optional()
  },
  get items() {
    return schema.optional()
  },
  get additionalProperties() {
    return z.union([z.boolean(), schema]).optional()
  },
  get anyOf() {
    return z.array(schema).optional()
  },
  get oneOf() {
    return z.array(schema).optional()
  },
})

const content = z.record(z.string(), z.looseObject({ schema: schema.optional() })).optional()

const response = z.looseObject({
  $ref: z.string().optional(),
  description: z.string().optional(),
  content,
})

const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  security: z.array(z.looseObject({})).optional(),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.string(),
        required: z.boolean().optional(),
        description: z.string().optional(),
        schema: schema.optional(),
      }),
    )
    .default([]),
  requestBody: z.looseObject({ required: z.boolean().optional(), content }).optional(),
  responses: z.record(z.string(), response).default({}),
})

const item = z.record(z.string(), operation)

/** The part of OpenAPI that the reference page uses. */
export const describedApi = z.looseObject({
  info: z.looseObject({ title: z.string(), version: z.string(), description: z.string().default('') }),
  tags: z.array(z.looseObject({ name: z.string(), description: z.string().optional() })).default([]),
  paths: z.record(z.string(), item),
  webhooks: z.record(z.string(), item).default({}),
  components: z
    .looseObject({
      schemas: z.record(z.string(), schema).default({}),
      responses: z.record(z.string(), response).default({}),
    })
    .prefault({}),
})

export type DescribedApi = z.output<typeof describedApi>
export type Schema = z.output<typeof schema>
type Operation = z.output<typeof operation>
export type Response = z.output<typeof response>

/** A call of an OpenAPI document, with its path and method. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Lists the calls of a document by tag. */
export function callsOf({ paths }: Pick<DescribedApi, 'paths'>, tag: string): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** The document without the schemas of files, which are not written by hand; the JSON Schema of the file has them.
 *  Their names begin with the file's name. */
export function withoutFileParts(api: DescribedApi): DescribedApi {
  const entries = Object.entries(api.components.schemas)
  const files = entries.filter(([, schema]) => schema['x-file'] !== undefined).map(([name]) => name)
  const isPart = (name: string) => files.some((file) => name !== file && name.startsWith(file))
  const shown = (schema: Schema): Schema => {
    if (schema.$ref !== undefined && isPart(nameOf(schema.$ref))) return { type: 'object' }
    return schema.items === undefined ? schema : { ...schema, items: shown(schema.items) }
  }
  const withShown = ({ properties = {}, ...schema }: Schema): Schema => ({
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, shown(field)])),
  })
  const schemas = entries
    .filter(([name]) => !isPart(name))
    .map(([name, schema]) => [name, files.includes(name) ? withShown(schema) : schema] as const)
  return { ...api, components: { ...api.components, schemas: Object.fromEntries(schemas) } }
}

/** Returns the last word of a JSON reference. */
export const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ref

import type { Context } from 'hono'
import { z } from 'zod'
import { EmulatorError } from '../domain/errors.ts'
import { nestsDeeper } from '../domain/json-text.ts'
import { check } from '../domain/problems.ts'
import type { ListQuery } from '../store/store.ts'

const maxBytes = 1024 * 1024
const maxDepth = 64

/** A JSON body, strictly: unknown fields are refused by name. An empty body stands for `{}`.
 *  @throws unsupported_media_type, too_large, not_json, invalid_input */
export async function readJson<T extends z.ZodType>(c: Context, schema: T): Promise<z.output<T>> {
  const text = await bodyText(c)
  if (text.trim() === '') return valid(schema, {})
  const mediaType = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') throw new EmulatorError('unsupported_media_type')
  if (nestsDeeper(text, maxDepth))
    throw new EmulatorError('not_json', { problem: `nested deeper than ${maxDepth} levels` })
  return valid(schema, parse(text))
}

/** The query, strictly: unknown and doubled parameters are refused by name. */
export function readQuery<T extends z.ZodObject>(c: Context, schema: T): z.output<T> {
  const query = new URL(c.req.url).searchParams
  const twice = [...new Set(query.keys())].filter((name) => query.getAll(name).length > 1)
  if (twice.length > 0) {
    throw new EmulatorError('invalid_input', {
      problems: twice.map((name) => `${name}: is given more than once`).join('; '),
    })
  }
  return valid(schema, Object.fromEntries(query))
}

/** `?clientId=` alone, as most calls take it. */
export const clientQuery = z.strictObject({ clientId: z.string().min(1).optional() })

/** Filters and paging of a list. */
const listQuery = z.strictObject({
  clientId: z.string().optional(),
  requestId: z.string().optional(),
  orderId: z.string().optional(),
  status: z.string().optional(),
  operation: z.string().optional(),
  cursor: z.string().optional(),
  order: z.enum(['oldest', 'newest']).optional(),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a number from 1 to 1000')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 1000, 'must be a number from 1 to 1000')
    .optional(),
})

/** A list's query as the store reads it; 100 items unless said otherwise. */
export function readListQuery(c: Context): ListQuery {
  const { order, limit, ...filters } = readQuery(c, listQuery)
  return { ...filters, limit: limit ?? 100, newestFirst: order === 'newest' }
}

function valid<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = check(schema, value)
  if (result.ok) return result.value
  const problems = result.problems.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  )
  throw new EmulatorError('invalid_input', { problems: problems.join('; ') })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new EmulatorError('not_json', { problem: error instanceof SyntaxError ? error.message : '' })
  }
}

async function bodyText(c: Context): Promise<string> {
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw new EmulatorError('too_large')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new EmulatorError('too_large', {}, { connection: 'close' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

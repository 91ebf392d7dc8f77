import { isUtf8 } from 'node:buffer'
import type { Context } from 'hono'
import * as z from 'zod'
import { EmulatorError } from '../domain/text/errors.ts'
import { orList, ticked } from '../domain/text/issue-words.ts'
import { protoMember, protoRefused } from '../domain/text/objects.ts'
import { check, type Problem, problemWords } from '../domain/text/problems.ts'
import type { Where } from '../domain/text/where.ts'
import { parseObject, readBody, readBytes, requireJson } from '../http/body.ts'
import { doubled, queryOf } from '../http/request.ts'
import type { Clients } from '../lifecycle/clients.ts'
import type { ListQuery } from '../store/store.ts'

/** Reads a JSON body strictly: unknown fields are rejected by name. An empty body counts as `{}`.
 *  @throws unsupported_media_type, too_large, body_cut, not_json, invalid_input */
export async function readJson<T extends z.ZodType>(
  c: Context,
  schema: T,
): Promise<{ value: z.output<T>; text: string }> {
  const body = await readBody(c)
  if (body.text.trim() === '') return { value: valid(schema, {}), text: '{}' }
  requireJson(c.req.raw)
  const parsed = parseObject(body)
  if ('problem' in parsed) throw new EmulatorError('not_json', { problem: parsed.problem })
  refusePrototypes(parsed.value)
  const result = check(schema, parsed.value)
  if (result.ok) return { value: result.value, text: body.text }
  throw new EmulatorError('invalid_input', { problems: problemWords(result.problems.map(withPlace)) })
}

/** Reads the bytes of a JSON body in UTF-8. An empty body counts as `{}`.
 *  @throws unsupported_media_type, too_large, body_cut, not_json */
export async function readJsonBytes(c: Context, most?: number): Promise<Buffer> {
  const bytes = await readBytes(c, most)
  if (bytes.length === 0) return Buffer.from('{}')
  requireJson(c.req.raw)
  if (!isUtf8(bytes)) throw new EmulatorError('not_json', { problem: 'is not valid UTF-8' })
  return bytes
}

/** Adds a hint if a client was named in the body, while only the query takes it. */
function withPlace(problem: Problem): Problem {
  const isClientId = problem.at === 'key' && problem.path.join('.') === 'clientId'
  return isClientId ? { ...problem, message: 'belongs in the query: ?clientId=' } : problem
}

/** Reads the query strictly: unknown and repeated parameters are rejected by name.
 *  @throws invalid_input */
export function readQuery<T extends z.ZodObject>(c: Context, schema: T): z.output<T> {
  const query = queryOf(c.req.url)
  const twice = doubled(query).map((name) => ({ path: [name], message: 'is given more than once' }))
  if (twice.length > 0) throw new EmulatorError('invalid_input', { problems: problemWords(twice) })
  return valid(schema, Object.fromEntries(query))
}

/** A query with `?clientId=` alone, as most calls take it. */
export const clientQuery = z.strictObject({
  clientId: z.string().min(1).optional().meta({ description: 'Limits the call to this client.' }),
})

/** The maximum size of a page. */
const pageLimit = z
  .string()
  .regex(/^\d{1,4}$/, 'must be a number from 1 to 1000')
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= 1000, 'must be a number from 1 to 1000')
  .optional()
  .meta({
    description: 'The maximum number of items; 100 if left out.',
    override: ({ jsonSchema }) => {
      delete jsonSchema.pattern
      Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: 1000 })
    },
  })

/** A boolean parameter. */
export const yesOrNo = (description: string) =>
  z
    .enum(['true', 'false'])
    .optional()
    .meta({
      description,
      override: ({ jsonSchema }) => {
        delete jsonSchema.enum
        jsonSchema.type = 'boolean'
      },
    })

/** The paging parameters of a list. */
export const paging = {
  cursor: z.string().optional().meta({ description: 'The `next` value of the previous page.' }),
  limit: pageLimit,
  order: z
    .enum(['oldest', 'newest'])
    .optional()
    .meta({ description: 'The order of the list; oldest first if left out.' }),
}

/** The filter and paging parameters of a list: fields of its things, whose texts may end in `*`. */
export function listQuery<const Name extends string>(members: readonly Name[]) {
  return clientQuery.extend({ ...membersOf(members), ...paging })
}

/** The search parameter of a list.
 *  @param members the searched fields */
export const searchIn = (...members: readonly string[]) => ({
  search: z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: `A part of ${orList(members.map(ticked))}; upper and lower case do not matter.` }),
})

const asked = z.string().max(1_000).optional().meta({ description: 'May end in `*`.' })

const membersOf = (names: readonly string[]): Record<string, typeof asked> =>
  Object.fromEntries(names.filter((name) => name !== 'clientId').map((name) => [name, asked]))

/** Converts a list's query for the store; 100 items by default. */
export function listOf({
  order,
  limit,
  cursor,
  clientId,
  search,
  ...members
}: z.output<ReturnType<typeof listQuery>> & { readonly search?: string | undefined }): ListQuery {
  const where: Record<string, string> = {}
  const whole: Record<string, string> = {}
  for (const [name, text] of Object.entries(members)) {
    if (typeof text !== 'string') continue
    if (isFilter(name) && !text.endsWith('*')) whole[name] = text
    else where[name] = text
  }
  return { clientId, ...whole, where, search, cursor, limit: limit ?? 100, newestFirst: order === 'newest' }
}

/** Filters with an index in the store. */
const isFilter = (name: string) => ['requestId', 'orderId', 'status', 'operation'].includes(name)

/** The client named in the body or in the query; null where the body may mean all.
 *  @throws invalid_input if they name different ones */
export function oneClientId<Named extends string | null>(
  body: { readonly clientId?: Named | undefined },
  query: { readonly clientId?: string | undefined },
): Named | string | undefined {
  if (body.clientId !== undefined && query.clientId !== undefined && body.clientId !== query.clientId) {
    const problems = 'clientId: the body and the query name different clients'
    throw new EmulatorError('invalid_input', { problems })
  }
  return body.clientId === undefined ? query.clientId : body.clientId
}

/** Rejects a `where` of an unknown client.
 *  @throws client_unknown, invalid_input */
export function requireClient(
  { clientId: wanted }: Where,
  query: { readonly clientId?: string | undefined },
  clients: Pick<Clients, 'get'>,
): void {
  if (typeof wanted !== 'string' || wanted.endsWith('*')) return
  clients.get(wanted)
  oneClientId({ clientId: wanted }, query)
}

/** Whether a thing belongs to the requested client, if one is requested. */
export const isOf = (
  thing: { readonly clientId: string | null },
  { clientId }: { readonly clientId?: string | undefined },
): boolean => clientId === undefined || thing.clientId === clientId

/** Validates a value.
 *  @throws invalid_input with all problems */
export function valid<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = check(schema, value)
  if (result.ok) return result.value
  throw new EmulatorError('invalid_input', { problems: problemWords(result.problems) })
}

/** @throws invalid_input */
function refusePrototypes(value: unknown): void {
  const path = protoMember(value)
  if (path === undefined) return
  throw new EmulatorError('invalid_input', { problems: problemWords([{ path, message: protoRefused }]) })
}

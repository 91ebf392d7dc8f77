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

/** Reads a JSON body: its validated value and its text. Unknown fields are rejected by name. An empty body counts as
 *  `{}`.
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

/** Reads the UTF-8 bytes of a JSON body. An empty body counts as `{}`.
 *  @throws unsupported_media_type, too_large, body_cut, not_json */
export async function readJsonBytes(c: Context, most?: number): Promise<Buffer> {
  const bytes = await readBytes(c, most)
  if (bytes.length === 0) return Buffer.from('{}')
  requireJson(c.req.raw)
  if (!isUtf8(bytes)) throw new EmulatorError('not_json', { problem: 'is not valid UTF-8' })
  return bytes
}

/** Adds a hint to the problem of an unknown `clientId` in a body: it is a query parameter. */
function withPlace(problem: Problem): Problem {
  const isClientId = problem.at === 'key' && problem.path.join('.') === 'clientId'
  return isClientId ? { ...problem, message: 'belongs in the query: ?clientId=' } : problem
}

/** Reads and validates the query. Unknown and repeated parameters are rejected by name.
 *  @throws invalid_input */
export function readQuery<T extends z.ZodObject>(c: Context, schema: T): z.output<T> {
  const query = queryOf(c.req.url)
  const twice = doubled(query).map((name) => ({ path: [name], message: 'is given more than once' }))
  if (twice.length > 0) throw new EmulatorError('invalid_input', { problems: problemWords(twice) })
  return valid(schema, Object.fromEntries(query))
}

/** Query with only `?clientId=`, used by most calls. */
export const clientQuery = z.strictObject({
  clientId: z.string().min(1).optional().meta({ description: 'Limits the call to this client.' }),
})

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

export const paging = {
  cursor: z.string().optional().meta({ description: 'The `next` value of the previous page.' }),
  limit: pageLimit,
  order: z
    .enum(['oldest', 'newest'])
    .optional()
    .meta({ description: 'The order of the list; oldest first if left out.' }),
}

/** Query of a list: `clientId`, paging, and a filter for each field, which may end in `*`. */
export function listQuery<const Name extends string>(members: readonly Name[]) {
  return clientQuery.extend({ ...membersOf(members), ...paging })
}

/** Schema of the search parameter of a list.
 *  @param members the fields to search */
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

/** Converts the query of a list for the store; the default limit is 100. */
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

/** Whether the store can filter by a field directly. */
const isFilter = (name: string) => ['requestId', 'orderId', 'status', 'operation'].includes(name)

/** The client named in the body (null means all clients), else the client in the query.
 *  @throws invalid_input if both name different clients */
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

/** Rejects a `where` that names an unknown client.
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

/** Whether an item belongs to the client in the query; true if the query names no client. */
export const isOf = (
  thing: { readonly clientId: string | null },
  { clientId }: { readonly clientId?: string | undefined },
): boolean => clientId === undefined || thing.clientId === clientId

/** Validates a value, and reports all problems at once.
 *  @throws invalid_input */
export function valid<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = check(schema, value)
  if (result.ok) return result.value
  throw new EmulatorError('invalid_input', { problems: problemWords(result.problems) })
}

/** Rejects `__proto__` as a field name.
 *  @throws invalid_input */
function refusePrototypes(value: unknown): void {
  const path = protoMember(value)
  if (path === undefined) return
  throw new EmulatorError('invalid_input', { problems: problemWords([{ path, message: protoRefused }]) })
}

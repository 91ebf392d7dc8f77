import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { EmulatorError, type ErrorCode } from '../domain/text/errors.ts'
import { readBody, requireYaml } from '../http/body.ts'
import { requireDecodable } from '../http/request.ts'
import { readJson, readJsonBytes, readQuery, valid } from './input.ts'
import type { ControlParts } from './parts.ts'

/** One call of the control API: what it takes, what it answers, what it does. The route, the OpenAPI document and the
 *  tests' checks of answers are all made of it, so that none of them can say something else. */
export interface ControlCall extends CallWords {
  /** Reads the request, does what is asked, and answers. */
  readonly handle: (c: Context, parts: ControlParts) => Promise<Response>
}

/** A call without its handler. */
export interface CallWords {
  readonly method: Method
  /** Below `/_emulator`, parameters as OpenAPI writes them: `/orders/{orderId}`. */
  readonly path: string
  /** Its name in the OpenAPI document (`operationId`) and in clients made of that. */
  readonly name: string
  /** One line, without a full stop. */
  readonly summary: string
  /** What else there is to know, in Markdown. */
  readonly description?: string
  readonly query: z.ZodObject
  readonly body: z.ZodType
  /** How the body is written; JSON if left out. YAML is handed on as its text. */
  readonly takes?: 'json' | 'yaml'
  /** Whether `?clientId=` may name a client that is not there. */
  readonly clientMayBeNew?: boolean
  /** Bodies by status; null where there is none. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>
  /** What its answers are, if not JSON: `text/event-stream`. */
  readonly gives?: string
  /** The errors of its own; those that every call may have (bad input, guards) are added for all. */
  readonly errors?: readonly ErrorCode[]
  /** False for what neither the control token nor the Host guard keeps from anybody. */
  readonly guarded?: boolean
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Spec<Path extends string, Query extends z.ZodObject, Body extends z.ZodType> extends CallWords {
  readonly path: Path
  readonly query: Query
  readonly body: Body
  readonly handle: (
    asked: {
      readonly query: z.output<Query>
      readonly body: z.output<Body>
      /** The body as it was sent. */
      readonly text: string
      readonly param: (name: ParameterOf<Path>) => string
      /** For what is not in the words above, like a stream. */
      readonly c: Context
    },
    parts: ControlParts,
  ) => Promise<Response>
}

/** The names between the braces of a path. */
type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never

/** Describes a call. Before its handler runs, query and body have been checked strictly, and a `clientId` in the query
 *  names a client that there is. */
export function controlCall<
  const Path extends `/${string}`,
  Query extends z.ZodObject,
  Body extends z.ZodType,
>(spec: Spec<Path, Query, Body>): ControlCall {
  const { handle, ...words } = spec
  return {
    ...words,
    handle: async (c, parts) => {
      const query = queryOf(c, spec, parts)
      const { value: body, text } = await readAs(spec, c)
      return handle({ query, body, text, param: (name) => c.req.param(name) ?? '', c }, parts)
    },
  }
}

/** Describes a call whose body of JSON is too large for parsing at once: its handler gets the bytes, and checks them. */
export function bytesCall<Query extends z.ZodObject>(
  spec: CallWords & {
    readonly query: Query
    /** How many bytes the body may have. */
    readonly most: number
    readonly handle: (
      asked: { readonly query: z.output<Query>; readonly bytes: Buffer },
      parts: ControlParts,
    ) => Promise<Response>
  },
): ControlCall {
  const { handle, most, ...words } = spec
  return {
    ...words,
    handle: async (c, parts) => {
      const query = queryOf(c, spec, parts)
      return handle({ query, bytes: await readJsonBytes(c, most) }, parts)
    },
  }
}

function queryOf<Query extends z.ZodObject>(
  c: Context,
  spec: Pick<CallWords, 'clientMayBeNew'> & { readonly query: Query },
  { clients }: ControlParts,
): z.output<Query> {
  requireDecodable(c.req.url)
  const query = readQuery(c, spec.query)
  if (!spec.clientMayBeNew && 'clientId' in query && typeof query.clientId === 'string')
    clients.get(query.clientId)
  return query
}

/** For calls that take no body; an empty one or `{}` will do. */
export const noBody = z.strictObject({})

/** Adds calls to a router, in their order: a fixed path must stand before one with a parameter in its place. */
export function addCalls(app: Hono, calls: readonly ControlCall[], parts: ControlParts): void {
  for (const { method, path, handle } of calls) {
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => handle(c, parts))
  }
}

async function readAs<Body extends z.ZodType>(
  { method, takes, body }: Pick<CallWords, 'method' | 'takes'> & { body: Body },
  c: Context,
): Promise<{ value: z.output<Body>; text: string }> {
  if (method === 'GET') return { value: valid(body, {}), text: '' }
  if (takes !== 'yaml') return readJson(c, body)
  const text = await yamlText(c)
  return { value: valid(body, text), text }
}

/** The text of a YAML body, or of JSON, which is YAML too.
 *  @throws unsupported_media_type, too_large, body_cut, not_json */
async function yamlText(c: Context): Promise<string> {
  requireYaml(c.req.raw)
  const { text, utf8 } = await readBody(c)
  if (!utf8) throw new EmulatorError('not_json', { problem: 'is not valid UTF-8' })
  return text
}

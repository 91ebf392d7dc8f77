import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { EmulatorError, type ErrorCode } from '../domain/text/errors.ts'
import { readBody, requireYaml } from '../http/body.ts'
import { requireDecodable } from '../http/request.ts'
import { readJson, readJsonBytes, readQuery, valid } from './input.ts'
import type { ControlParts } from './parts.ts'

/** One call of the control API: input, answers, handler. The route, the OpenAPI document, the reference and the
 *  validation in tests are all made from it. */
export interface ControlCall extends CallWords {
  /** Handles the request. */
  readonly handle: (c: Context, parts: ControlParts) => Promise<Response>
}

/** A call without its handler. */
export interface CallWords {
  readonly method: Method
  /** The path below `/_emulator`, with parameters as in OpenAPI: `/orders/{orderId}`. */
  readonly path: string
  /** The `operationId` of the OpenAPI document, and the name in generated clients. */
  readonly name: string
  /** One line, without a full stop. */
  readonly summary: string
  /** Further facts, in Markdown. */
  readonly description?: string
  readonly query: z.ZodObject
  readonly body: z.ZodType
  /** The format of the body; JSON if left out. YAML is passed on as text. */
  readonly takes?: 'json' | 'yaml'
  /** Whether `?clientId=` may name an unknown client. */
  readonly clientMayBeNew?: boolean
  /** The bodies by status; null for none. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>
  /** The content type of answers, if not JSON: `text/event-stream`. */
  readonly gives?: string
  /** The call's own errors; errors of every call (bad input, guards) are added. */
  readonly errors?: readonly ErrorCode[]
  /** False for a call outside of the control token and the Host guard. */
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
      /** The body's text. */
      readonly text: string
      readonly param: (name: ParameterOf<Path>) => string
      /** For everything else, such as streams. */
      readonly c: Context
    },
    parts: ControlParts,
  ) => Promise<Response>
}

/** The parameter names in a path. */
type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never

/** Declares a call. Before its handler runs, query and body are validated strictly, and a `clientId` in the query is
 *  known. */
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

/** Declares a call whose JSON body is too large to be parsed at once: its handler gets the bytes and validates them. */
export function bytesCall<Query extends z.ZodObject>(
  spec: CallWords & {
    readonly query: Query
    /** The limit of the body in bytes. */
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

/** For calls without a body; an empty one or `{}` is accepted. */
export const noBody = z.strictObject({})

/** Adds calls to a router, in order: a fixed path must come before one with a parameter in its place. */
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

/** Reads a body of YAML, or of JSON, which is YAML too.
 *  @throws unsupported_media_type, too_large, body_cut, not_json */
async function yamlText(c: Context): Promise<string> {
  requireYaml(c.req.raw)
  const { text, utf8 } = await readBody(c)
  if (!utf8) throw new EmulatorError('not_json', { problem: 'is not valid UTF-8' })
  return text
}

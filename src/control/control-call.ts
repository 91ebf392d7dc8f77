import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { EmulatorError, type ErrorCode } from '../domain/text/errors.ts'
import { readBody, requireYaml } from '../http/body.ts'
import { requireDecodable } from '../http/request.ts'
import { readJson, readJsonBytes, readQuery, valid } from './input.ts'
import type { ControlParts } from './parts.ts'

/** A call of the control API. Its route, its OpenAPI entry and the response checks in tests all come from this
 *  declaration. */
export interface ControlCall extends CallWords {
  readonly handle: (c: Context, parts: ControlParts) => Promise<Response>
}

/** The declaration of a control call without its handler. */
export interface CallWords {
  readonly method: Method
  /** The path below `/_emulator`, with parameters in braces: `/orders/{orderId}`. */
  readonly path: string
  /** The `operationId` in the OpenAPI document, which names the method in generated clients. */
  readonly name: string
  /** The title of the call in one line, without a full stop. */
  readonly summary: string
  readonly description?: string
  readonly query: z.ZodObject
  readonly body: z.ZodType
  /** Format of the request body; JSON if left out. The handler gets YAML as text. */
  readonly takes?: 'json' | 'yaml'
  /** Whether `?clientId=` may name a client that does not exist. */
  readonly clientMayBeNew?: boolean
  /** Response schemas by status; null for a response without a body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>
  /** Content type of the response, if not JSON: `text/event-stream`. */
  readonly gives?: string
  /** Further content types of the response, each with its schema, which a parameter of the query selects. */
  readonly alsoGives?: Readonly<Record<string, z.ZodType>>
  /** Errors specific to this call. Common errors (bad input, guards) are added automatically. */
  readonly errors?: readonly ErrorCode[]
  /** False for a call that needs neither the control token nor an allowed host. */
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
      /** The request body exactly as it was sent. */
      readonly text: string
      readonly param: (name: ParameterOf<Path>) => string
      /** The Hono context, for special cases such as event streams. */
      readonly c: Context
    },
    parts: ControlParts,
  ) => Promise<Response>
}

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never

/** Declares a call. Before the handler runs, query and body are validated, and `clientId` in the query must name an
 *  existing client. */
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

/** Declares a call with a JSON body that is too large to parse at once. The handler receives the bytes and validates
 *  them. */
export function bytesCall<Query extends z.ZodObject>(
  spec: CallWords & {
    readonly query: Query
    /** The maximum size of a request body, in bytes. */
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

/** Schema for calls without a body; an empty body and `{}` are accepted. */
export const noBody = z.strictObject({})

/** Adds calls to a router in order. A fixed path must come before a path with a parameter in the same position. */
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

/** Reads a YAML body as text; JSON is also valid YAML.
 *  @throws unsupported_media_type, too_large, body_cut, not_json */
async function yamlText(c: Context): Promise<string> {
  requireYaml(c.req.raw)
  const { text, utf8 } = await readBody(c)
  if (!utf8) throw new EmulatorError('not_json', { problem: 'is not valid UTF-8' })
  return text
}

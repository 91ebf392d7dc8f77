import * as z from 'zod'
import type {
  ZodOpenApiObject,
  ZodOpenApiOperationObject,
  ZodOpenApiPathItemObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import { ownTokenCall } from '../../api/token-call.ts'
import { controlCalls } from '../../control/control.ts'
import type { CallWords } from '../../control/control-call.ts'
import { error } from '../../control/shapes/common.ts'
import { type ErrorCode, errorWords } from '../../domain/text/errors.ts'
import { beforeAnyCall, documentHead } from './head.ts'

/** Descriptions of the control API's parts, by the first word of their paths. */
const tagWords: Readonly<Record<string, string>> = {
  health: 'Check that the emulator is running.',
  clients:
    'Clients: each is a merchant account with its own isolated sandbox: credentials, clock, orders, settings and request log.',
  'access-token': 'The access token API.',
  about: 'The running version, and the number of clients, orders and other items.',
  overview: 'What there is, and what happened of late.',
  failures: 'What failed since a time.',
  clock: 'Read, set and advance the time.',
  clocks: 'All clocks, with their next due events.',
  orders: 'Orders, the payer’s actions, and refunds.',
  subscriptions: 'Subscriptions.',
  users: 'The users with their orders.',
  deliveries: 'Webhooks with all their attempts.',
  requests: 'The log of requests to the service, with a diagnosis for each refused one.',
  wait: 'Wait for a state, instead of polling.',
  faults: 'Planned faults of the service and of deliveries.',
  scenarios: 'Scenarios, and the choice of the scenario of the next orders.',
  fixtures: 'Sample data from files.',
  snapshot: 'Save and restore the complete state of the emulator.',
  choices: 'What the API specification leaves open.',
  settings: 'Settings, of all clients or of one.',
  reset: 'Reset to the initial state.',
  events: 'Events as they happen.',
  status: 'Numbers of orders and deliveries, at a glance.',
  metrics: 'Metrics for Prometheus.',
  coverage: 'Which behaviours of the provider the tests have met.',
  sweep: 'Legal behaviours of the provider, applied to all orders; for the command `sweep`.',
  openapi: 'OpenAPI document of the service.',
  'openapi-control': 'OpenAPI document of this API.',
  docs: 'This reference as a page.',
}

const calls: readonly CallWords[] = [...controlCalls, ownTokenCall]

interface ReferenceObject {
  $ref: string
}

/** The OpenAPI document of the control API, built from its table of calls. */
export function controlDocument(): ZodOpenApiObject {
  const tags = [...new Set(calls.map(tagOf))].map((name) => ({ name, ...described(name) }))
  const paths: Record<string, ZodOpenApiPathItemObject> = {}
  for (const call of calls) {
    const path = `/_emulator${call.path}`
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call) }
  }
  return {
    ...documentHead('Control API of payment-order-emulator', description),
    tags,
    security: [{}, { controlToken: [] }],
    paths,
    components: {
      securitySchemes: {
        controlToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Required if the emulator listens on more than loopback, unless it was started with `--open-control`.',
        },
      },
      responses: {
        NotFound: refusal(['not_found']),
        MethodNotAllowed: {
          ...refusal(['method_not_allowed']),
          headers: z.object({ allow: z.string().meta({ description: 'The allowed methods.' }) }),
        },
        ...Object.fromEntries(shared.map(([name, code]) => [name, refusal([code])])),
      },
    },
  }
}

const description = [
  'Controls the emulator from a test: create clients, choose scenarios, move clocks, inspect orders, deliveries and',
  'requests, and cause faults. `?clientId=` limits a call to one client. An error names each unknown',
  'field or parameter. Errors are `{"error":{"code","message"}}`; lists are',
  '`{items, next}`, where `next` is the `?cursor=` of the next page, or null.',
  `\n\n${beforeAnyCall}`,
].join(' ')

function operation(call: CallWords): ZodOpenApiOperationObject {
  const { name, summary, description, query, path } = call
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  return {
    operationId: name,
    summary,
    ...(description !== undefined && { description }),
    tags: [tagOf(call)],
    ...(call.guarded === false && { security: [] }),
    requestParams: {
      ...(names.length > 0 && {
        path: z.object(Object.fromEntries(names.map((each) => [each, z.string()]))),
      }),
      query,
    },
    ...bodyOf(call),
    responses: responsesOf(call),
  }
}

const tagOf = ({ path }: CallWords): string => path.split(/[/.]/)[1] ?? ''

const described = (tag: string) => {
  const description = tagWords[tag]
  return description === undefined ? {} : { description }
}

function bodyOf({ method, body, takes }: CallWords): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (method === 'GET' || isEmpty(body)) return {}
  const json = { 'application/json': { schema: takes === 'yaml' ? z.looseObject({}) : body } }
  const content = takes === 'yaml' ? { 'application/yaml': { schema: body }, ...json } : json
  return { requestBody: { content, required: !body.safeParse({}).success } }
}

const isEmpty = (body: z.ZodType): boolean =>
  body instanceof z.ZodObject && Object.keys(body.shape).length === 0

/** Errors that become shared response components, used where no other error of a call has the same status. */
const shared = [
  ['NoControlToken', 'control_token'],
  ['CrossSite', 'cross_site'],
  ['HostNotAllowed', 'host_not_allowed'],
  ['TooLarge', 'too_large'],
  ['UnsupportedMediaType', 'unsupported_media_type'],
  ['Bug', 'internal'],
  ['DiskFull', 'disk_full'],
] as const satisfies readonly (readonly [name: string, code: ErrorCode])[]

function sharedResponse(codes: readonly ErrorCode[]): ReferenceObject | undefined {
  const [name] = shared.find(([, code]) => codes.length === 1 && code === codes[0]) ?? []
  return name === undefined ? undefined : { $ref: `#/components/responses/${name}` }
}

/** Responses of a call: its answers and every possible error. */
function responsesOf(call: CallWords): ZodOpenApiOperationObject['responses'] {
  const byStatus = Map.groupBy(errorsOf(call), (code) => String(errorWords(code).status))
  const responses: Record<string, ZodOpenApiResponseObject | ReferenceObject> = {}
  for (const [status, codes] of byStatus) responses[status] = sharedResponse(codes) ?? refusal(codes)
  for (const [status, schema] of Object.entries(call.answers)) {
    responses[status] = answer(schema, call, byStatus.get(status))
  }
  return responses
}

function answer(
  schema: z.ZodType | null,
  { gives = 'application/json', alsoGives = {} }: Pick<CallWords, 'gives' | 'alsoGives'>,
  codes: readonly ErrorCode[] = [],
): ZodOpenApiResponseObject {
  if (schema === null) return { description: 'Done; the answer has no body.' }
  const about = schema.meta()?.description ?? 'Done.'
  const named = namedPage(schema)
  const content = {
    [gives]: { schema: codes.length === 0 ? named : z.union([named, error]) },
    ...Object.fromEntries(Object.entries(alsoGives).map(([type, schema]) => [type, { schema }])),
  }
  return { description: [about, ...codes.map(wordsOf)].join('\n\n'), content }
}

/** Names a page after its items, so that generated clients have a type for each list. */
function namedPage(schema: z.ZodType): z.ZodType {
  const items = schema instanceof z.ZodObject ? schema.shape.items : undefined
  const id = items instanceof z.ZodArray && items.element instanceof z.ZodType && items.element.meta()?.id
  return id ? schema.meta({ ...schema.meta(), id: `${id}Page` }) : schema
}

function refusal(codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  return {
    description: codes.map(wordsOf).join('\n\n'),
    content: { 'application/json': { schema: error } },
  }
}

const wordsOf = (code: ErrorCode): string =>
  `\`${code}\`: ${code === 'invalid_input' ? 'Every error has its position.' : errorWords(code).text}`

/** Errors of a call: its own, and the common errors for its method, query and guards. */
function errorsOf({
  method,
  errors = [],
  guarded = true,
  query,
  clientMayBeNew = false,
}: CallWords): ErrorCode[] {
  const reads = method === 'GET'
  const ofBody: ErrorCode[] = reads ? [] : ['not_json', 'body_cut', 'too_large', 'unsupported_media_type']
  return [
    ...new Set<ErrorCode>([
      'invalid_input',
      ...(guarded ? (['control_token', 'host_not_allowed', 'cross_site'] as const) : []),
      ...('clientId' in query.shape && !clientMayBeNew ? (['client_unknown'] as const) : []),
      ...ofBody,
      ...errors,
      ...(reads ? [] : (['disk_full'] as const)),
      'internal',
    ]),
  ]
}

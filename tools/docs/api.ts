import * as z from 'zod'
import { servedOperations } from '../../src/api/operations/operations.ts'
import { serviceDocument } from '../../src/app/openapi/service.ts'
import { defaultSettings } from '../../src/domain/choices/settings.ts'
import { accepts, asSchema, branchesOf, fieldsOf, type JsonSchema, meaningOf } from './json-schema.ts'
import { bodySchema, type Call, callsOf, type Operation, openApi, resolver } from './openapi.ts'
import { table } from './table.ts'

const operations = servedOperations(defaultSettings)
const document = openApi(serviceDocument(operations))
const resolved = resolver(document)

/** The calls of the emulated service, and the webhook that it sends: a section for each. */
export function apiCalls(): string {
  const sections = callsOf(document).map((call) => {
    const first = operations.find(({ operation }) => operation === operationOf(call))
    return first?.path === call.path ? callSection(call) : alternative(call)
  })
  const webhooks = Object.values(document.webhooks).flatMap(({ post }) => post ?? [])
  return `\n${[...sections, ...webhooks.map(webhookSection)].join('\n')}\n`
}

const operationOf = ({ path }: Call) => operations.find((each) => each.path === path)?.operation

function callSection(call: Call): string {
  const { method, path, summary, description, requestBody, responses } = call
  const answer = successOf(call)
  const body = bodySchema(requestBody?.content ?? {})
  const query = parameters(call, 'query')
  return [
    `## ${summary}\n`,
    `\`${method} ${path}\`\n`,
    ...(description === '' ? [] : [`${description}\n`]),
    `\`\`\`sh\n${curl(call)}\n\`\`\`\n`,
    `\`\`\`json\n${JSON.stringify(answerExample(call), null, 2)}\n\`\`\`\n`,
    'Headers:\n',
    table(['Header', 'Required', 'Meaning'], [accessTokenRow, ...headerRows(call)]),
    ...(query.length === 0 ? [] : ['Query:\n', parameterTable(query)]),
    ...(body === undefined ? [] : ['Body:\n', requestFields(body)]),
    `Answer ${Object.keys(responses)[0]}:\n`,
    answerFields(answer),
    'Errors:\n',
    errorTable(call),
  ].join('\n')
}

/** A call that is served at a second path. */
const alternative = ({ method, path, description }: Call): string =>
  `The same call at another path: \`${method} ${path}\`. ${description}\n`

function webhookSection({ summary, description, parameters, requestBody, responses }: Operation): string {
  const body = bodySchema(requestBody?.content ?? {}) ?? {}
  const headers = parameters.map(({ name, schema }) => [`\`${name}\``, schema.description ?? ''])
  const answers = Object.entries(responses).map(([status, answer]) => [
    status === 'default' ? 'any other, or none' : status,
    'description' in answer ? answer.description : '',
  ])
  return [
    '## The webhook\n',
    `\`POST\` to the webhook URL of the client\n`,
    `${summary}. ${description}\n`,
    `\`\`\`json\n${JSON.stringify(exampleOf(body), null, 2)}\n\`\`\`\n`,
    table(['Header', 'Meaning'], headers),
    'Body:\n',
    answerFields(body),
    'What your application answers:\n',
    table(['Status', 'Meaning'], answers),
  ].join('\n')
}

const parameters = ({ parameters }: Call, place: string) => parameters.filter((each) => each.in === place)

const accessTokenRow = ['`access-token`', 'yes', 'The access token of the client.']

const headerRows = (call: Call): string[][] =>
  parameters(call, 'header').map(({ name, required, schema }) => [
    `\`${name}\``,
    yes(required),
    schema.description ?? '',
  ])

const yes = (required: boolean): string => (required ? 'yes' : '')

const parameterTable = (given: Call['parameters']): string =>
  table(
    ['Parameter', 'Type', 'Required', 'Meaning'],
    given.map(({ name, required, schema }) => [
      `\`${name}\``,
      accepts(schema),
      yes(required),
      meaningOf(schema),
    ]),
  )

const requestFields = (body: JsonSchema): string =>
  table(
    ['Field', 'Type', 'Required', 'Meaning'],
    fieldsOf(resolved(body), resolved).map(({ name, schema, required }) => [
      `\`${name}\``,
      accepts(schema),
      yes(required),
      meaningOf(schema),
    ]),
  )

const answerFields = (answer: JsonSchema): string =>
  table(
    ['Field', 'Type', 'Always there', 'Meaning'],
    fieldsOf(resolved(answer), resolved).map(({ name, schema, required }) => [
      `\`${name}\``,
      accepts(schema),
      yes(required),
      meaningOf(schema),
    ]),
  )

const successOf = ({ responses }: Operation): JsonSchema => {
  const [first] = Object.values(responses)
  return first !== undefined && 'content' in first ? (bodySchema(first.content) ?? {}) : {}
}

function errorTable({ responses }: Call): string {
  const rows = Object.entries(responses).flatMap(([status, answer]) => {
    const response = '$ref' in answer ? document.components.responses[nameIn(answer.$ref)] : answer
    const schema = response === undefined ? undefined : bodySchema(response.content)
    return status === '200' || response === undefined || schema === undefined
      ? []
      : [[status, response.description, shapesOf(schema).join('<br>')]]
  })
  return table(['Status', 'When', 'Body'], rows)
}

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? ''

function shapesOf(schema: JsonSchema): string[] {
  const branches = branchesOf(resolved(schema))
  return branches.length > 0
    ? branches.flatMap(shapesOf)
    : [`\`${JSON.stringify(shapeOf(resolved(schema)))}\``]
}

const shapeOf = ({ properties }: JsonSchema): unknown =>
  properties === undefined
    ? '…'
    : Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, shapeOf(asSchema(value))]))

/** The example of a schema, or its only possible value. */
function exampleOf(schema: JsonSchema): unknown {
  const { example, properties = {} } = resolved(schema)
  return (
    example ??
    Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, asSchema(value).const]))
  )
}

/** The example of the answer to the example of the call. */
function answerExample(call: Call): unknown {
  const [asked, answered] = [bodySchema(call.requestBody?.content ?? {}), exampleOf(successOf(call))]
  const { requestId } = idOf.parse(asked === undefined ? {} : exampleOf(asked))
  return requestId === undefined || idOf.parse(answered).requestId === undefined
    ? answered
    : Object.assign({}, answered, { requestId })
}

const idOf = z.object({ requestId: z.string().optional() })

/** A command that sends the example of a call to an emulator with its default credentials. */
function curl(call: Call): string {
  const query = parameters(call, 'query').map(({ name, schema }) => `${name}=${schema.example}`)
  const url = `http://127.0.0.1:4600${call.path}${query.length === 0 ? '' : `?${query.join('&')}`}`
  const headers = parameters(call, 'header').flatMap(({ name, schema }) =>
    schema.example === undefined ? [] : [`-H '${name}: ${schema.example}'`],
  )
  const body = bodySchema(call.requestBody?.content ?? {})
  const data =
    body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d '${JSON.stringify(exampleOf(body))}'`]
  return [`curl -s '${url}'`, `-H 'access-token: demo-token'`, ...headers, ...data].join(' \\\n  ')
}

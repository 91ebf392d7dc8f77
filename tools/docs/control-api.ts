import { ownTokenCall } from '../../src/api/token-call.ts'
import { controlDocument } from '../../src/app/openapi/control.ts'
import { controlCalls } from '../../src/control/control.ts'
import type { CallWords } from '../../src/control/control-call.ts'
import { type ErrorCode, errorWords } from '../../src/domain/text/errors.ts'
import {
  accepts,
  asSchema,
  branchesOf,
  fieldsOf,
  type JsonSchema,
  meaningOf,
  referencedName,
} from './json-schema.ts'
import { bodySchema, type Call, callsOf, openApi } from './openapi.ts'
import { table } from './table.ts'

const served: readonly CallWords[] = [...controlCalls, ownTokenCall]
const document = openApi(controlDocument())

/** All calls of the control API in one table, each with a link to its section. */
export const controlCallTable = (): string =>
  table(
    ['Call', 'Does'],
    callsOf(document).map((call) => [`[\`${titleOf(call)}\`](#${anchorOf(titleOf(call))})`, call.summary]),
  )

const titleOf = ({ method, path }: Call): string => `${method} ${path.replace('/_emulator', '')}`

/** As GitHub derives it from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')

/** A section for each call, in groups. */
export const controlCallSections = (): string =>
  document.tags
    .map(({ name, description }) => {
      const calls = callsOf(document).filter(({ tags }) => tags.includes(name))
      return `\n### ${name}\n\n${description}\n\n${calls.map(callSection).join('\n')}`
    })
    .join('')

/** Parameters that mean the same in every call; the page explains them once. */
const commonParameters = ['clientId', 'cursor', 'limit']

function callSection(call: Call): string {
  const query = call.parameters.filter(
    ({ in: place, name }) => place === 'query' && !commonParameters.includes(name),
  )
  const body = bodySchema(call.requestBody?.content ?? {})
  const parts = [
    `#### \`${titleOf(call)}\`\n`,
    `${[`${call.summary}.`, call.description].filter(Boolean).join(' ')}\n`,
    ...(query.length === 0 ? [] : [parameterTable(query)]),
    ...(body === undefined ? [] : [bodyPart(body)]),
    `${[...answersOf(call), errorsOf(call)].filter(Boolean).join('. ')}.\n`,
  ]
  return parts.join('\n')
}

const parameterTable = (given: Call['parameters']): string =>
  table(
    ['Query', 'Takes', 'Meaning'],
    merged(
      given.map(({ name, required, schema }) => [
        named(name, required),
        accepts(schema, linked),
        meaningOf(schema),
      ]),
    ),
  )

/** Rows that differ in their first cell only become one row: filters, for example. */
const merged = (rows: readonly (readonly string[])[]): string[][] =>
  [...Map.groupBy(rows, (row) => row.slice(1).join('\0')).values()].map((same) => [
    same.map(([first = '']) => first).join(', '),
    ...(same[0]?.slice(1) ?? []),
  ])

const named = (name: string, required: boolean): string => `\`${name}\`${required ? ' (required)' : ''}`

function bodyPart(body: JsonSchema): string {
  const name = referencedName(body) ?? ''
  const object = document.components.schemas[name] ?? body
  if (isFile(name)) return `Body: ${linked(name)}\n`
  const fields = fieldsOf(object)
  if (fields.length === 0) return `Body: ${meaningOf(object) || accepts(object, linked)}\n`
  return table(
    ['Body field', 'Takes', 'Meaning'],
    fields.map(({ name, schema, required }) => [
      named(name, required),
      accepts(schema, linked),
      meaningOf(schema),
    ]),
  )
}

const shapeHeading = (name: string): string => `Object \`${name}\``

/** A named schema has a section of its own at the end of the page, unless it is part of a file. */
const linked = (name: string): string =>
  isInFile(name) ? 'an object' : `[\`${name}\`](#${anchorOf(shapeHeading(name))})`

/** Only the emulator writes these files, and their JSON Schema has the details. */
const isFile = (name: string): boolean => document.components.schemas[name]?.['x-file'] !== undefined

/** The parts of a file are named after it. */
const isInFile = (name: string): boolean => files.some((file) => name !== file && name.startsWith(file))

const files = Object.keys(document.components.schemas).filter(isFile)

function answersOf(call: Call): string[] {
  const { answers = {} } = servedAs(call)
  return Object.keys(answers).map((status) => `Answers ${status}: ${answerOf(call, status)}`)
}

function answerOf({ responses }: Call, status: string): string {
  const answer = responses[status]
  if (answer === undefined || !('content' in answer)) return 'nothing'
  const [type] = Object.keys(answer.content)
  const schema = bodySchema(answer.content)
  if (type === undefined || schema === undefined) return 'no body'
  if (type !== 'application/json') return `\`${type}\``
  return describedAnswer(branchesOf(schema)[0] ?? schema)
}

function describedAnswer(schema: JsonSchema): string {
  const name = referencedName(schema)
  const items = asSchema(document.components.schemas[name ?? '']?.properties?.items)
  if (name?.endsWith('Page') && items.items !== undefined)
    return `a page of ${accepts(asSchema(items.items), linked)}`
  if (name !== undefined) return linked(name)
  const fields = fieldsOf(schema).map(({ name, schema }) => `\`${name}\` (${accepts(schema, linked)})`)
  return fields.length === 0 ? accepts(schema, linked) : fields.join(', ')
}

const servedAs = (call: Call) => served.find(({ name }) => name === call.operationId) ?? missing(call)

function missing({ operationId }: Call): never {
  throw new Error(`no call has the name ${operationId}`)
}

function errorsOf(call: Call): string {
  const { errors = [] } = servedAs(call)
  if (errors.length === 0) return ''
  return `Errors: ${errors.map((code) => `\`${code}\` (${errorWords(code).status})`).join(', ')}`
}

/** The errors of all calls, with their status and message. */
export function controlErrors(): string {
  const own = served.flatMap(({ errors = [] }) => errors)
  const codes = [...new Set<ErrorCode>([...ofEveryCall, ...own])]
  return table(
    ['Code', 'Status', 'Message'],
    // A message is no Markdown: it may have a placeholder in angle brackets.
    codes.map((code) => {
      const { status, text } = errorWords(code)
      return [`\`${code}\``, String(status), text.replaceAll('<', '&lt;')]
    }),
  )
}

const ofEveryCall = [
  ...['invalid_input', 'not_json', 'body_cut', 'too_large', 'unsupported_media_type', 'client_unknown'],
  ...[
    'control_token',
    'cross_site',
    'host_not_allowed',
    'not_found',
    'method_not_allowed',
    'disk_full',
    'internal',
  ],
] as const satisfies readonly ErrorCode[]

/** The named objects that calls answer, and those within them. */
export function controlShapes(): string {
  const sections = controlCallSections()
  const bodies = callsOf(document).map(({ requestBody }) =>
    referencedName(bodySchema(requestBody?.content ?? {}) ?? {}),
  )
  // The fields of a body stand with its call; a body that is answered too is linked there.
  const stands = (name: string) => bodies.includes(name) && !sections.includes(linked(name))
  const isShown = (name: string) => !isInFile(name) && !name.endsWith('Page') && name !== 'AnyJson'
  return Object.entries(document.components.schemas)
    .filter(([name]) => isShown(name) && !stands(name))
    .map(([name, schema]) => `\n### ${shapeHeading(name)}\n\n${shapeText(schema)}`)
    .join('')
}

function shapeText(schema: JsonSchema): string {
  if (schema.properties === undefined) return `${schema.description ?? accepts(schema)}\n`
  const rows = fieldsOf(schema).map(({ name, schema, required }) => [
    `\`${name}\``,
    `${accepts(schema, linked)}${required ? '' : '; may be missing'}`,
    meaningOf(schema),
  ])
  return `${schema.description === undefined ? '' : `${schema.description}\n\n`}${table(['Field', 'Type', 'Meaning'], rows)}`
}

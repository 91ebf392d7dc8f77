import * as z from 'zod'
import { nestsDeeper } from '../../domain/text/json-text.ts'
import { exactUrl, isPlain, printed, shellQuoted } from '../../domain/text/shell.ts'
import { limits } from '../../http/node-http.ts'
import { queryText } from '../../http/request.ts'
import { shownCharacters } from './long-text.tsx'

/** Whether a text can be part of a command to copy. */
export const canBePasted = (text: string): boolean => text.length <= shownCharacters && isPlain(text)

/** Builds a `curl` command with a body.
 *  @param source a command that prints a body that is too long to paste; by default the body itself */
export function withBody(options: readonly string[], body: string, source = printed(body)): string {
  const joined = (option: string) => [...options, option].join(' \\\n  ')
  // To --data-binary, a text that begins with @ would be the name of a file.
  return canBePasted(body)
    ? joined(`--data-raw ${shellQuoted(body)}`)
    : `${source} |\n${joined('--data-binary @-')}`
}

/** A command that prints a field of an answer of the control API. */
export function memberSource(
  url: string,
  member: string,
  { asksForToken }: { readonly asksForToken: boolean },
): string {
  const token = asksForToken ? ' -H "Authorization: Bearer $EMULATOR_CONTROL_TOKEN"' : ''
  return `curl -s${token} ${exactUrl(url)} | jq -j ${shellQuoted(member)}`
}

/** A call of the control API that changes something. */
export interface Action {
  readonly method: Method
  /** The path of the call below `/_emulator`, with its query. */
  readonly path: string
  readonly type: 'application/json' | 'application/yaml'
  /** The body of the call; null for none. */
  readonly text: string | null
  /** The name of a file that contains the body. */
  readonly file?: string
}

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof methods)[number]

/** A call as a form holds it; the form's fields are merged into its body. */
export interface ActionSpec {
  readonly method: Method
  /** Below `/_emulator`; a field `path:id` fills in `{id}`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>> | undefined
  readonly body?: Readonly<Record<string, unknown>> | undefined
}

const actionSpec = z.strictObject({
  method: z.enum(methods),
  path: z.string().startsWith('/'),
  query: z.record(z.string(), z.string()).optional(),
  body: z.record(z.string(), z.unknown()).optional(),
})

/** The type of a field is part of its name: `number:count`, `text:errorCode`. `json:` and `yaml:` without a name are
 *  the whole body; `path:` fills in the path, `query:` the query. `value:` is JSON if it can be parsed, else a text.
 *  Fields `item:` of one name are a list. */
const fieldTypes = [
  'text',
  'number',
  'boolean',
  'json',
  'list',
  'item',
  'value',
  'yaml',
  'path',
  'query',
] as const
export type FieldType = (typeof fieldTypes)[number]

/** The maximum number of fields in a form; no form of the dashboard has more. */
const mostFields = 500

/** Thrown for a form that the dashboard cannot have sent. */
export class UnusableForm extends Error {}

/** Builds the call of a form. Empty fields are left out.
 *  @param form names and values; `action` holds the `ActionSpec` as JSON
 *  @throws UnusableForm */
export function actionOf(form: readonly (readonly [name: string, value: string])[]): Action {
  if (form.length > mostFields)
    throw new UnusableForm(`This form has ${form.length} fields; at most ${mostFields} are allowed.`)
  const spec = specIn(form)
  const body: Record<string, unknown> = { ...spec.body }
  const query: Record<string, string | undefined> = { ...spec.query }
  let { path } = spec
  let whole: string | null = null
  let type: Action['type'] = 'application/json'
  for (const [field, value] of form) {
    const { kind, name } = fieldOf(field)
    if (kind === null || value.trim() === '') continue
    if (kind === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value.trim()))
    else if (kind === 'query') query[name] = value.trim()
    else if (kind === 'yaml') [whole, type] = [value, 'application/yaml']
    else if (name === '') whole = value
    else if (kind === 'item') put(body, [name], [...itemsIn(body, name), value])
    else put(body, namesIn(name), valueFor(kind, value, name))
  }
  const text = whole ?? (Object.keys(body).length > 0 ? JSON.stringify(body) : null)
  return { method: spec.method, path: `${path}${queryText(query)}`, type, text }
}

/** The call as a curl command. A body that is too long to paste is named as a file.
 *  @param asks whether the emulator requires a control token */
export function curlOf(action: Action, origin: string, asks: boolean): string {
  const { method, path, type, text } = action
  const options = [
    `curl -X ${method} ${exactUrl(`${origin}/_emulator${path}`)}`,
    ...(asks ? ['-H "Authorization: Bearer $EMULATOR_CONTROL_TOKEN"'] : []),
  ]
  const file = fileOf(action)
  if (text === null && file === null) return options.join(' \\\n  ')
  const typed = [...options, `-H 'content-type: ${type}'`]
  return file === null
    ? withBody(typed, text ?? '')
    : [...typed, `--data-binary ${shellQuoted(`@${file}`)}`].join(' \\\n  ')
}

const fileOf = ({ type, text, file }: Action): string | null =>
  text !== null && text.length > shownCharacters ? `body.${type.replace('application/', '')}` : (file ?? null)

function specIn(form: readonly (readonly [string, string])[]): z.output<typeof actionSpec> {
  const text = form.find(([name]) => name === 'action')?.[1] ?? ''
  try {
    return actionSpec.parse(jsonOf(text))
  } catch {
    throw new UnusableForm('This form contains no call. Go back, reload the page and try again.')
  }
}

function fieldOf(field: string): { kind: FieldType | null; name: string } {
  const [prefix = '', ...rest] = field.split(':')
  return { kind: fieldTypes.find((type) => type === prefix) ?? null, name: rest.join(':') }
}

function valueFor(kind: FieldType, value: string, name: string): unknown {
  if (kind === 'boolean') return value === 'true'
  if (kind === 'list') return value.split(/[\s,]+/).filter((word) => word !== '')
  // Invalid numbers and JSON are sent unchanged: the control API reports them by name.
  if (kind === 'number') return Number.isNaN(Number(value)) ? value : Number(value)
  if (kind === 'value') return jsonOrText(value)
  return kind === 'json' ? parsed(value, name) : value
}

/** Parses a form value: `15m` is a text, `["a"]` a list. */
function jsonOrText(value: string): unknown {
  try {
    return jsonOf(value)
  } catch {
    return value.trim()
  }
}

function parsed(value: string, name: string): unknown {
  try {
    return jsonOf(value)
  } catch (error) {
    throw new UnusableForm(
      `${name}: is not valid JSON (${error instanceof Error ? error.message : String(error)})`,
    )
  }
}

/** Parses JSON up to the depth of a request body: a deeper one could not be formatted again. */
function jsonOf(text: string): unknown {
  if (nestsDeeper(text, limits.jsonLevels)) throw new Error(`nested deeper than ${limits.jsonLevels} levels`)
  return JSON.parse(text)
}

/** The fields that a name leads through: `where.requestId`. */
function namesIn(name: string): string[] {
  const names = name.split('.')
  if (names.length <= limits.jsonLevels) return names
  throw new UnusableForm(`A field of this form is nested deeper than ${limits.jsonLevels} levels.`)
}

/** The list that a field has so far. */
function itemsIn(body: Record<string, unknown>, name: string): readonly unknown[] {
  const items = Object.hasOwn(body, name) ? body[name] : undefined
  return Array.isArray(items) ? items : []
}

/** Sets a value at a path of names. Only own fields count: a name like `__proto__` is an ordinary field. */
function put(body: Record<string, unknown>, names: readonly string[], value: unknown): void {
  let there = body
  for (const name of names.slice(0, -1)) {
    const inner = Object.hasOwn(there, name) ? there[name] : undefined
    there = isRecord(inner) ? inner : member(there, name, {})
  }
  member(there, names.at(-1) ?? '', value)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Sets a field of any name, and returns its value. */
function member<T>(of: object, name: string, value: T): T {
  Object.defineProperty(of, name, { value, enumerable: true, configurable: true, writable: true })
  return value
}

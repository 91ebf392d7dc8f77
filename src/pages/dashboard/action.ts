import { z } from 'zod'
import { queryText } from '../../http/query.ts'
import { shellQuoted } from '../shell-quote.ts'

/** A call of the control API that changes something, ready to be made. */
export interface Action {
  readonly method: Method
  /** Below `/_emulator`, with its query. */
  readonly path: string
  readonly type: 'application/json' | 'application/yaml'
  /** The body; null for none. */
  readonly text: string | null
}

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof methods)[number]

/** A call as a form holds it: what the fields beside it say is laid over its body. */
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

/** How a field's text becomes a value of the body. Its name says so: `number:count`, `text:errorCode`. `json:` and
 *  `yaml:` without a name are the whole body; `path:` fills in the path, `query:` the query. `value:` is JSON where it
 *  can be read as that, else a text. */
const fieldTypes = ['text', 'number', 'boolean', 'json', 'list', 'value', 'yaml', 'path', 'query'] as const
export type FieldType = (typeof fieldTypes)[number]

/** What a form cannot mean. */
export class UnusableForm extends Error {}

/** The call that a form stands for. Fields left empty say nothing.
 *  @param form its names and values; `action` holds the `ActionSpec` as JSON
 *  @throws UnusableForm */
export function actionOf(form: readonly (readonly [name: string, value: string])[]): Action {
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
    else put(body, name.split('.'), valueFor(kind, value, name))
  }
  const text = whole ?? (Object.keys(body).length > 0 ? JSON.stringify(body) : null)
  return { method: spec.method, path: `${path}${queryText(query)}`, type, text }
}

/** The same call for a shell.
 *  @param asks whether the emulator asks for a control token */
export function curlOf({ method, path, type, text }: Action, origin: string, asks: boolean): string {
  return [
    `curl -X ${method} ${shellQuoted(`${origin}/_emulator${path}`)}`,
    ...(asks ? ['-H "Authorization: Bearer $EMULATOR_CONTROL_TOKEN"'] : []),
    ...(text === null ? [] : [`-H 'content-type: ${type}'`, `--data-binary ${shellQuoted(text)}`]),
  ].join(' \\\n  ')
}

function specIn(form: readonly (readonly [string, string])[]): z.output<typeof actionSpec> {
  const text = form.find(([name]) => name === 'action')?.[1] ?? ''
  try {
    return actionSpec.parse(JSON.parse(text))
  } catch {
    throw new UnusableForm('This form holds no call. Go back, load the page again and repeat what you did.')
  }
}

function fieldOf(field: string): { kind: FieldType | null; name: string } {
  const [prefix = '', ...rest] = field.split(':')
  return { kind: fieldTypes.find((type) => type === prefix) ?? null, name: rest.join(':') }
}

function valueFor(kind: FieldType, value: string, name: string): unknown {
  if (kind === 'boolean') return value === 'true'
  if (kind === 'list') return value.split(/[\s,]+/).filter((word) => word !== '')
  // What is no number or no JSON goes as it is: the control API says what is wrong with it, by name.
  if (kind === 'number') return Number.isNaN(Number(value)) ? value : Number(value)
  if (kind === 'value') return jsonOrText(value)
  return kind === 'json' ? parsed(value, name) : value
}

/** `15m` is a text, `["a"]` a list. */
function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value.trim()
  }
}

function parsed(value: string, name: string): unknown {
  try {
    return JSON.parse(value)
  } catch (error) {
    throw new UnusableForm(`${name}: is no JSON (${error instanceof Error ? error.message : String(error)})`)
  }
}

/** Puts a value at a path of names. Own members only: a name like `__proto__` is a member like any other. */
function put(body: Record<string, unknown>, [first = '', ...rest]: string[], value: unknown): void {
  const inner: Record<string, unknown> = {}
  const there = Object.hasOwn(body, first) ? body[first] : undefined
  if (rest.length > 0) {
    if (typeof there === 'object' && there !== null) Object.assign(inner, there)
    put(inner, rest, value)
  }
  Object.defineProperty(body, first, {
    value: rest.length > 0 ? inner : value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

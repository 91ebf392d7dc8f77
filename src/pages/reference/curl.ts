import { shellQuoted as quoted } from '../../domain/shell-quote.ts'
import { type Call, type DescribedApi, nameOf, type Schema } from './described-api.ts'

/** A command that makes the call when it is pasted into a shell, if it has no names in capitals left to fill in.
 *  @param origin under which the emulator is reached */
export function curlOf({ method, path, operation }: Call, api: DescribedApi, origin: string): string {
  const { parameters, requestBody, security } = operation
  const needed = parameters.filter(({ required }) => required === true)
  const values = (place: string) =>
    needed
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema }): [string, string] => [name, String(schema?.example ?? blank(name, method))])
  const query = new URLSearchParams(values('query')).toString()
  const filled = values('path').reduce((url, [name, value]) => url.replace(`{${name}}`, value), path)
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const example = exampleOf(media?.schema, api)
  const isService = security === undefined && path.startsWith('/v1/')
  const lines = [
    `curl${optionsOf({ method, operation }, api)} ${quoted(`${origin}${filled}${query === '' ? '' : `?${query}`}`)}`,
    ...(isService ? ["-H 'access-token: demo-token'"] : []),
    ...values('header').map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...bodyLines(type, example, fileOf(media?.schema, api), requestBody?.required === true),
  ]
  return lines.join(' \\\n  ')
}

/** What the command line needs besides: a stream is shown as it comes, and what is kept goes into a file. */
function optionsOf({ method, operation }: Pick<Call, 'method' | 'operation'>, api: DescribedApi): string {
  const [type, media] = Object.entries(operation.responses['200']?.content ?? {})[0] ?? []
  const file = fileOf(media?.schema, api)
  return [
    method === 'GET' ? '' : ` -X ${method}`,
    type === 'text/event-stream' ? ' -N' : '',
    file === null ? '' : ` -o ${file}`,
  ].join('')
}

/** In which file a value is kept that nobody writes by hand; null for others. */
const fileOf = (schema: Schema | undefined, api: DescribedApi): string | null => {
  const { 'x-file': file } = schema?.$ref === undefined ? { ...schema } : { ...shapeOf(schema.$ref, api) }
  return typeof file === 'string' ? file : null
}

function bodyLines(
  type: string | undefined,
  example: unknown,
  file: string | null,
  required: boolean,
): string[] {
  if (type === undefined || (example === undefined && !required)) return []
  const isText = type !== 'application/json' || file !== null
  const body = isText ? `--data-binary @${file ?? 'FILE'}` : `-d ${quoted(JSON.stringify(example ?? {}))}`
  return [`-H 'content-type: ${type}'`, body]
}

/** The example of a schema, or of the one that it stands for. */
export function exampleOf(schema: Schema | undefined, api: DescribedApi): unknown {
  if (schema?.$ref !== undefined) return exampleOf(shapeOf(schema.$ref, api), api)
  return schema?.example ?? schema?.examples?.[0]
}

const shapeOf = (ref: string, api: DescribedApi) => api.components.schemas[nameOf(ref)]

/** `orderId` as `ORDER_ID`, for somebody to fill in. What is removed has to be named with care. */
const blank = (name: string, method: string): string =>
  name === 'clientId' && method !== 'DELETE'
    ? 'demo-client'
    : name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

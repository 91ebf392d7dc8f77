import { shellQuoted as quoted } from '../../domain/text/shell.ts'
import { type Call, type DescribedApi, nameOf, type Response, type Schema } from './described-api.ts'
import { Shape } from './members.tsx'
import { Inline, Prose } from './prose.tsx'

/** A command that makes the call when pasted into a shell, once names in capitals are replaced.
 *  @param origin of the emulator */
function curlOf({ method, path, operation }: Call, api: DescribedApi, origin: string): string {
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

/** Further options: a stream is shown as it comes, and a snapshot goes into a file. */
function optionsOf({ method, operation }: Pick<Call, 'method' | 'operation'>, api: DescribedApi): string {
  const [type, media] = Object.entries(operation.responses['200']?.content ?? {})[0] ?? []
  const file = fileOf(media?.schema, api)
  return [
    method === 'GET' ? '' : ` -X ${method}`,
    type === 'text/event-stream' ? ' -N' : '',
    file === null ? '' : ` -o ${file}`,
  ].join('')
}

/** Returns the name of the file that a schema describes; null for values that people write by hand. */
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

/** The example of a schema, or of the referenced one. */
function exampleOf(schema: Schema | undefined, api: DescribedApi): unknown {
  if (schema?.$ref !== undefined) return exampleOf(shapeOf(schema.$ref, api), api)
  return schema?.example ?? schema?.examples?.[0]
}

const shapeOf = (ref: string, api: DescribedApi) => api.components.schemas[nameOf(ref)]

/** `orderId` as `ORDER_ID`, to be replaced by the user. Removing calls never name an example. */
const blank = (name: string, method: string): string =>
  name === 'clientId' && method !== 'DELETE'
    ? 'demo-client'
    : name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** The data that every part of the reference page needs. */
export interface Around {
  readonly api: DescribedApi
  /** The prefix of anchors, which differs between the two documents. */
  readonly prefix: string
  readonly origin: string
}

/** Renders one call, folded: input, answers, and a command. */
export function CallSection({ call, isOpen, ...context }: Around & { call: Call; isOpen: boolean }) {
  const { method, path, operation } = call
  const anchor = `${context.prefix}${operation.operationId}`
  const isWebhook = !path.startsWith('/')
  const answers = Object.entries(operation.responses)
  const own = answers.filter(([, { $ref }]) => $ref === undefined)
  const common = answers.filter(([, { $ref }]) => $ref !== undefined)
  return (
    <details class="call" open={isOpen}>
      <summary>
        <h4>
          <span class={`method ${method.toLowerCase()}`}>{method}</span>{' '}
          <code>{isWebhook ? 'your webhook URL' : path}</code>
        </h4>
        <span class="summary">
          <Inline text={operation.summary} />
        </span>
      </summary>
      <section id={anchor}>
        {operation.description === undefined ? '' : <Prose text={operation.description} />}
        {isWebhook ? '' : <pre tabindex={0}>{curlOf(call, context.api, context.origin)}</pre>}
        <Parameters call={call} prefix={context.prefix} />
        <Body call={call} {...context} />
        <h5>Answers</h5>
        {own.map(([status, response]) => (
          <Answer status={status} response={response} {...context} />
        ))}
        {common.length === 0 ? (
          ''
        ) : (
          <p class="type">
            Answers shared by many calls:{' '}
            {common.map(([status, { $ref = '' }], index) => (
              <>
                {index === 0 ? '' : ', '}
                <a href={`#${context.prefix}answer-${nameOf($ref)}`}>{status}</a>
              </>
            ))}
          </p>
        )}
      </section>
    </details>
  )
}

function Parameters({ call: { operation }, prefix }: { call: Call; prefix: string }) {
  const { parameters } = operation
  if (parameters.length === 0) return ''
  const properties = Object.fromEntries(
    parameters.map(({ name, in: place, schema = {}, description = '' }) => [
      place === 'query' ? `?${name}=` : place === 'path' ? `{${name}}` : `${name}:`,
      { ...schema, description },
    ]),
  )
  const required = parameters
    .map(({ required }, index) => (required === true ? (Object.keys(properties)[index] ?? '') : ''))
    .filter(Boolean)
  return (
    <>
      <h5>Parameters</h5>
      <Shape schema={{ properties, required }} prefix={prefix} />
    </>
  )
}

function Body({ call: { operation }, api, prefix }: Around & { call: Call }) {
  const { requestBody } = operation
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined || media?.schema === undefined) return ''
  const { schema } = media
  const shown = schema.$ref === undefined ? schema : (api.components.schemas[nameOf(schema.$ref)] ?? schema)
  return (
    <>
      <h5>
        Body <span class="type">{type}</span>
        {requestBody?.required === true ? '' : <span class="type"> may be left out</span>}
      </h5>
      <Shape schema={shown} prefix={prefix} />
    </>
  )
}

/** The schema of the usual error, which is not repeated at each answer. */
const usualError = '#/components/schemas/ControlError'

/** Renders one answer under its status, or under its name if many calls share it. */
function Answer({ status, response, api, prefix }: Around & { status: string; response: Response }) {
  const [type, media] = Object.entries(response.content ?? {})[0] ?? []
  const isGood = status.startsWith('2')
  const example = isGood ? exampleOf(media?.schema, api) : undefined
  return (
    <div class={isGood ? 'answer good' : 'answer'}>
      <strong>{status}</strong>
      <div>
        <Prose text={response.description ?? ''} />
        {media?.schema === undefined || media.schema.$ref === usualError ? (
          ''
        ) : (
          <Shape schema={media.schema} prefix={prefix} />
        )}
        {type === undefined || type === 'application/json' ? '' : <p class="type">{type}</p>}
        {example === undefined ? (
          ''
        ) : (
          <details>
            <summary>Example</summary>
            <pre tabindex={0}>{JSON.stringify(example, null, 2)}</pre>
          </details>
        )}
      </div>
    </div>
  )
}

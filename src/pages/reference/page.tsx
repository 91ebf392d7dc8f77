import { CallSection } from './call.tsx'
import { callsOf, type DescribedApi, describedApi, withoutFileParts } from './described-api.ts'
import { Shape } from './members.tsx'
import { Inline, Prose } from './prose.tsx'

/** One of the two APIs on the reference page. */
interface Part {
  readonly api: DescribedApi
  readonly title: string
  /** The prefix of the API's anchors. */
  readonly prefix: string
  readonly document: string
}

/** The reference page of both APIs, as HTML.
 *  @param documents their OpenAPI documents, as JSON
 *  @param origin of the emulator, for the examples */
export function referencePage(documents: { service: string; control: string }, origin: string): string {
  const read = (text: string) => withoutFileParts(describedApi.parse(JSON.parse(text)))
  const service = { title: 'Service', prefix: 'service-', document: 'openapi.json' }
  const control = { title: 'Control API', prefix: 'control-', document: 'openapi-control.json' }
  const parts = [
    { ...service, api: read(documents.service) },
    { ...control, api: read(documents.control) },
  ]
  return `<!doctype html>${<Page parts={parts} origin={origin} />}`
}

function Page({ parts, origin }: { parts: readonly Part[]; origin: string }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>payment-order-emulator: reference</title>
        <link rel="stylesheet" href="docs.css" />
      </head>
      <body>
        <header>
          <h1>payment-order-emulator</h1>
          <p>
            Version {parts[0]?.api.info.version ?? ''}. Every call of this emulator, with its parameters and
            answers. Click a command to select it.
          </p>
        </header>
        <nav aria-label="Calls">
          {parts.map((part) => (
            <Contents {...part} />
          ))}
        </nav>
        <main>
          {parts.map((part) => (
            <PartSection part={part} origin={origin} />
          ))}
        </main>
      </body>
    </html>
  )
}

function Contents({ api, title, prefix }: Part) {
  return (
    <details>
      <summary>{title}</summary>
      <ul>
        <li>
          <a href={`#${prefix}`}>Overview</a>
        </li>
      </ul>
      {api.tags.map(({ name }) => (
        <ul>
          {callsAndWebhooks(api, name).map(({ method, path, operation }) => (
            <li>
              <a href={`#${prefix}${operation.operationId}`}>
                <span class={`method ${method.toLowerCase()}`}>{method}</span> {shortened(path)}
              </a>
            </li>
          ))}
        </ul>
      ))}
      <ul>
        <li>
          <a href={`#${prefix}shapes`}>Shapes</a>
        </li>
      </ul>
    </details>
  )
}

const callsAndWebhooks = (api: DescribedApi, tag: string) => [
  ...callsOf(api, tag),
  ...callsOf({ paths: api.webhooks }, tag),
]

const shortened = (path: string): string => path.replace(/^\/(_emulator|v1\/client)/, '')

function PartSection({ part, origin }: { part: Part; origin: string }) {
  const { api, title, prefix, document } = part
  const context = { api, prefix, origin }
  return (
    <section id={prefix}>
      <h2>{title}</h2>
      <Prose text={api.info.description} />
      <p>
        As OpenAPI 3.1: <a href={document}>{document}</a>
      </p>
      {api.tags.map(({ name, description = '' }) => (
        <section>
          <h3 id={`${prefix}tag-${name}`}>{name}</h3>
          <p>
            <Inline text={description} />
          </p>
          {callsAndWebhooks(api, name).map((call) => (
            <CallSection call={call} {...context} />
          ))}
        </section>
      ))}
      <h3>Answers of many calls</h3>
      {Object.entries(api.components.responses).map(([name, response]) => (
        <div class="shape" id={`${prefix}answer-${name}`}>
          <h4>{name}</h4>
          <Prose text={response.description ?? ''} />
        </div>
      ))}
      <h3 id={`${prefix}shapes`}>Shapes</h3>
      {Object.entries(api.components.schemas).map(([name, schema]) => (
        <section class="shape" id={`${prefix}shape-${name}`}>
          <h4>{name}</h4>
          {schema['x-file'] === undefined ? '' : <Prose text={schema.description ?? ''} />}
          <Shape schema={schema} prefix={prefix} />
        </section>
      ))}
    </section>
  )
}

import { CallSection } from './call.tsx'
import { type Call, callsOf, type DescribedApi, describedApi, withoutFileParts } from './described-api.ts'
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
 *  @param origin of the emulator, for the examples
 *  @param wanted words that calls must have to be shown; empty for all */
export function referencePage(
  documents: { service: string; control: string },
  origin: string,
  wanted = '',
): string {
  const read = (text: string) => withoutFileParts(describedApi.parse(JSON.parse(text)))
  const service = { title: 'Service', prefix: 'service-', document: 'openapi.json' }
  const control = { title: 'Control API', prefix: 'control-', document: 'openapi-control.json' }
  const parts = [
    { ...service, api: read(documents.service) },
    { ...control, api: read(documents.control) },
  ]
  return `<!doctype html>${<Page parts={parts} origin={origin} wanted={wanted} />}`
}

function Page({ parts, origin, wanted }: { parts: readonly Part[]; origin: string; wanted: string }) {
  const found = parts.flatMap(({ api }) =>
    api.tags.flatMap(({ name }) => callsAndWebhooks(api, name, wanted)),
  )
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
            answers. Click a command to select it. <a href="/_emulator/">Dashboard</a>
          </p>
          <search>
            <form method="get" action="docs">
              <label for="q">Search</label>
              <input id="q" name="q" type="search" value={wanted} placeholder="advance, webhookUrl, 409 …" />
              <button type="submit">Search</button>
              {wanted === '' ? '' : <a href="docs">Show all calls</a>}
            </form>
          </search>
        </header>
        <nav aria-label="Calls">
          {parts.map((part) => (
            <Contents {...part} wanted={wanted} />
          ))}
        </nav>
        <main>
          {found.length === 0 ? <p>No call has “{wanted}”.</p> : ''}
          {parts.map((part) => (
            <PartSection part={part} origin={origin} wanted={wanted} />
          ))}
        </main>
      </body>
    </html>
  )
}

function Contents({ api, title, prefix, wanted }: Part & { wanted: string }) {
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
          {callsAndWebhooks(api, name, wanted).map(({ method, path, operation }) => (
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

/** The calls of a tag that have all wanted words, in whatever the page says of them. */
function callsAndWebhooks(api: DescribedApi, tag: string, wanted: string): readonly Call[] {
  const words = wanted.toLowerCase().split(/\s+/)
  return [...callsOf(api, tag), ...callsOf({ paths: api.webhooks }, tag)].filter((call) => {
    const text = JSON.stringify([tag, call]).toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

const shortened = (path: string): string => path.replace(/^\/(_emulator|v1\/client)/, '')

function PartSection({ part, origin, wanted }: { part: Part; origin: string; wanted: string }) {
  const { api, title, prefix, document } = part
  const context = { api, prefix, origin }
  return (
    <section id={prefix}>
      <h2>{title}</h2>
      <Prose text={api.info.description} />
      <p>
        As OpenAPI 3.1: <a href={document}>{document}</a>
      </p>
      {api.tags.map(({ name, description = '' }) => {
        const calls = callsAndWebhooks(api, name, wanted)
        return calls.length === 0 ? (
          ''
        ) : (
          <section>
            <h3 id={`${prefix}tag-${name}`}>{name}</h3>
            <p>
              <Inline text={description} />
            </p>
            {calls.map((call) => (
              <CallSection call={call} isOpen={wanted !== ''} {...context} />
            ))}
          </section>
        )
      })}
      <h3>Answers of many calls</h3>
      {Object.entries(api.components.responses).map(([name, response]) => (
        <div class="shape" id={`${prefix}answer-${name}`}>
          <h4>{name}</h4>
          <Prose text={response.description ?? ''} />
        </div>
      ))}
      <h3 id={`${prefix}shapes`}>Shapes</h3>
      {Object.entries(api.components.schemas).map(([name, schema]) => (
        <details class="shape">
          <summary>
            <h4>{name}</h4>
          </summary>
          <section id={`${prefix}shape-${name}`}>
            {schema['x-file'] === undefined ? '' : <Prose text={schema.description ?? ''} />}
            <Shape schema={schema} prefix={prefix} />
          </section>
        </details>
      ))}
    </section>
  )
}

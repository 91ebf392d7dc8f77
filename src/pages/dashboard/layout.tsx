import type { Child } from 'hono/jsx'
import { curlOf } from './action.ts'
import { Curl } from './form.tsx'
import { refusalWords } from './notes.ts'
import { linkTo, type Shell, type View } from './view.ts'

/** The places of the dashboard, in the order in which somebody looks for a fault. */
const places = [
  ['/', 'Orders'],
  ['/ui/deliveries', 'Webhooks'],
  ['/ui/requests', 'Requests'],
  ['/ui/clients', 'Clients'],
  ['/ui/clocks', 'Clocks'],
  ['/ui/scenarios', 'Scenarios'],
  ['/ui/faults', 'Faults'],
  ['/ui/settings', 'Settings'],
] as const

/** A page of the dashboard, as HTML. */
export function dashboardPage(view: View, shell: Shell): string {
  return `<!doctype html>${(
    <Document title={view.title} scripts>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={linkTo(shell, '/')}>
          payment-order-emulator
        </a>
        <nav aria-label="Dashboard">
          <ul>
            {places.map(([path, name]) => (
              <li>
                <a href={linkTo(shell, path)} aria-current={isHere(path, shell) ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <ClientScope shell={shell} />
      </header>
      <main id="main" tabindex={-1}>
        <h1>{view.title}</h1>
        <NoteBox shell={shell} />
        {view.tools === undefined ? null : <div class="tools">{view.tools}</div>}
        <div id="live" data-topics={view.topics?.join(' ')}>
          {view.body}
        </div>
      </main>
      <footer>
        <p>
          Version {shell.version} · <a href="/_emulator/docs">All calls</a> ·{' '}
          <a href="/_emulator/ui/settings#choices">What is assumed</a>
        </p>
      </footer>
    </Document>
  )}`
}

/** A page outside the dashboard: the question for the token, a refusal. */
export function plainPage(title: string, body: Child): string {
  return `<!doctype html>${(
    <Document title={title}>
      <main id="main" class="plain">
        <h1>{title}</h1>
        {body}
      </main>
    </Document>
  )}`
}

function Document({
  title,
  scripts = false,
  children,
}: {
  title: string
  scripts?: boolean
  children?: Child
}) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content='{"includeIndicatorCSS":false,"history":"reload"}' />
        <title>{title} · payment-order-emulator</title>
        <link rel="icon" href="/pay/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/pay/assets/pages.css" />
        {scripts ? <script src="/pay/assets/htmx.js" defer /> : null}
        {scripts ? <script src="/pay/assets/live.js" defer /> : null}
      </head>
      <body>{children}</body>
    </html>
  )
}

function ClientScope({ shell }: { shell: Shell }) {
  return (
    <form class="scope" method="get" action={shell.here.split('?')[0]}>
      <label for="scope">Client</label>
      <input
        id="scope"
        name="clientId"
        value={shell.clientId ?? ''}
        placeholder="all clients"
        autocomplete="off"
        spellcheck={false}
      />
      <button type="submit" class="button plain">
        Show
      </button>
    </form>
  )
}

/** What the button did that led here. */
function NoteBox({ shell }: { shell: Shell }) {
  const { note } = shell
  if (note === null) return null
  const good = note.status !== null && note.status < 400
  const called = note.action === null ? null : `${note.action.method} /_emulator${note.action.path}`
  return (
    <section
      class={`note ${good ? 'good' : 'bad'}`}
      role={good ? 'status' : 'alert'}
      aria-label="What was done"
    >
      <p>
        <strong>{good ? 'Done.' : 'Refused.'}</strong> {good ? null : refusalWords(note.text)}
        {called === null ? null : (
          <>
            {' '}
            <code>{called}</code> answered {note.status}.
          </>
        )}
      </p>
      {called === null ? null : (
        <details id="note-answer">
          <summary>Answer</summary>
          <pre tabindex={0}>
            <code>{indented(note.text)}</code>
          </pre>
        </details>
      )}
      {note.action === null ? null : (
        <Curl text={curlOf(note.action, shell.origin, shell.asksForToken)} id="note-curl" />
      )}
    </section>
  )
}

function isHere(path: string, { here }: Shell): boolean {
  const page = here.split('?')[0]?.replace(/^\/_emulator/, '') ?? '/'
  if (path === '/') return page === '/' || page.startsWith('/ui/orders')
  return page === path || page.startsWith(`${path}/`)
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

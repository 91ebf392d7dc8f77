import type { Child } from 'hono/jsx'
import { ClientScope } from './client-scope.tsx'
import { ClockChip } from './clocks/clock-chip.tsx'
import { NoteBox } from './note-box.tsx'
import { isAt, places } from './places.ts'
import { linkTo, type Shell, type View } from './view.ts'

/** htmx only changes one page into another here. No attribute of a page makes it do anything: `hx-ignore`. */
const htmxConfig = { includeIndicatorCSS: false, history: false, extensions: 'keep' }

/** A page of the dashboard, as HTML. */
export function dashboardPage(view: View, shell: Shell): string {
  return `<!doctype html>${(
    <Document title={view.title} scripts>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top" id="top">
        <a class="brand" href={linkTo(shell, '/')}>
          payment-order-emulator
        </a>
        <Places shell={shell} />
        <ClockChip shell={shell} />
        <ClientScope shell={shell} />
      </header>
      <main id="main" tabindex={-1}>
        <NoteBox shell={shell} />
        <div class="heading">
          <h1>{view.title}</h1>
          <Pulse />
        </div>
        {view.tools === undefined ? null : (
          <div class="tools" id="tools">
            {view.tools}
          </div>
        )}
        <div id="live" data-topics={view.topics?.join(' ')}>
          {view.body}
        </div>
      </main>
      <Foot shell={shell} />
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
        <meta name="htmx-config" content={JSON.stringify(htmxConfig)} />
        <title>{title} · payment-order-emulator</title>
        <link rel="icon" href="/pay/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/pay/assets/pages.css" />
        {scripts ? <script type="module" src="/pay/assets/live.js" /> : null}
      </head>
      <body hx-ignore="">{children}</body>
    </html>
  )
}

function Places({ shell }: { shell: Shell }) {
  return (
    <nav aria-label="Dashboard">
      <ul>
        {places.map(([path, name]) => (
          <li>
            <a href={linkTo(shell, path)} aria-current={isAt(path, shell) ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Whether the page keeps itself up to date; a script fills it in. */
function Pulse() {
  return (
    <p class="pulse" id="pulse" hidden>
      <span id="pulse-state" role="status" />
      <button type="button" class="button plain small" id="pulse-button">
        Pause
      </button>
    </p>
  )
}

function Foot({ shell }: { shell: Shell }) {
  return (
    <footer>
      <p>
        Version {shell.version} · <a href="/_emulator/docs">All calls</a> ·{' '}
        <a href={linkTo(shell, '/ui/settings')}>Assumptions</a>
      </p>
      <p class="scripted-only keys">
        <label>
          <input type="checkbox" id="keys" checked /> Keys
        </label>
        <span>
          <kbd>/</kbd> filter
        </span>
        <span>
          <kbd>j</kbd> <kbd>k</kbd> next and previous row
        </span>
        <span>
          <kbd>p</kbd> pause
        </span>
        <span>
          <kbd>Esc</kbd> clear
        </span>
      </p>
      {shell.asksForToken ? (
        <form method="post" action="/_emulator/ui/log-out">
          <button type="submit" class="button plain small">
            Log out
          </button>
        </form>
      ) : null}
    </footer>
  )
}

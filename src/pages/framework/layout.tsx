import type { Child } from 'hono/jsx'
import { recentlyKept } from '../../journal/recent.ts'
import { ClockBar } from '../dashboard/clocks/clock-bar.tsx'
import { pageHeaders } from './http.ts'
import { NoteBox } from './note-box.tsx'
import { Facts } from './parts.tsx'
import { type Failures, linkTo, type Shell, type View } from './view.ts'

/** A section of the dashboard. */
interface Place {
  /** Below `/_emulator`. */
  readonly path: string
  readonly name: string
  /** The failures that are counted beside the name. */
  readonly failures?: keyof Failures
}

/** The sections of the dashboard by what a user wants: see, move and disturb, prepare. */
const placeGroups: readonly (readonly [purpose: string, readonly Place[]])[] = [
  [
    'Watch',
    [
      { path: '/', name: 'Overview' },
      { path: '/ui/orders', name: 'Orders' },
      { path: '/ui/deliveries', name: 'Webhooks', failures: 'attempts' },
      { path: '/ui/requests', name: 'Requests', failures: 'requests' },
    ],
  ],
  [
    'Control',
    [
      { path: '/ui/clocks', name: 'Clocks' },
      { path: '/ui/faults', name: 'Faults' },
      { path: '/ui/scenarios', name: 'Scenarios' },
    ],
  ],
  [
    'Set up',
    [
      { path: '/ui/clients', name: 'Clients' },
      { path: '/ui/settings', name: 'Settings' },
      { path: '/ui/world', name: 'Data' },
    ],
  ],
]

/** The section that a page belongs to; the first one for a page of none. */
export function placeOf(shell: Pick<Shell, 'here'>): Pick<Place, 'path' | 'name'> {
  const places = placeGroups.flatMap(([, group]) => group)
  return places.find(({ path }) => isAt(path, shell)) ?? { path: '/', name: 'Overview' }
}

/** The sections of pages that stand below another path. */
const belongsTo: Readonly<Record<string, string>> = {
  '/ui/users': '/ui/orders',
  '/ui/causes': '/ui/requests',
  '/ui/new-scenario': '/ui/scenarios',
  '/ui/coverage': '/ui/world',
}

/** Whether a page belongs to a section. */
function isAt(path: string, { here }: Pick<Shell, 'here'>): boolean {
  const address = here.split('?')[0]?.replace(/^\/_emulator/, '') ?? '/'
  const page = belongsTo[address] ?? address
  return page === path || page.startsWith(`${path}/`)
}

/** Returns a page of the dashboard as the answer. */
export const page = (html: string, status = 200): Response =>
  new Response(html, { status, headers: pageHeaders('nowhere') })

/** htmx only morphs pages here. No attribute of a page triggers it: `hx-ignore`. */
const htmxConfig = { includeIndicatorCSS: false, history: false, extensions: 'keep' }

/** Renders a page of the dashboard as HTML. */
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
        <div class="top-tools">
          <ClockBar shell={shell} />
          <ClientScope shell={shell} />
          <CommandSwitch shell={shell} />
        </div>
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
        <div id="live" data-refreshes={view.isLive ? '' : undefined}>
          {view.body}
        </div>
      </main>
      <Foot shell={shell} />
    </Document>
  )}`
}

/** A page outside of the dashboard: the question for the token, an error. */
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
    <nav aria-label="Dashboard" id="places" data-fresh="">
      {placeGroups.map(([purpose, places]) => (
        <ul aria-label={purpose}>
          {places.map(({ path, name, failures }) => (
            <li>
              <a href={linkTo(shell, path)} aria-current={isAt(path, shell) ? 'page' : undefined}>
                {name}
                {failures === undefined ? null : <Failed count={shell.failures[failures]} />}
              </a>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  )
}

/** The failures of a section since it was last looked at. */
function Failed({ count }: { count: number }) {
  if (count === 0) return null
  const shown = count < recentlyKept.failures ? String(count) : `${recentlyKept.failures - 1}+`
  return (
    <>
      {' '}
      <span class="failed" title={`${shown} failed since you last looked`}>
        {shown}
        <span class="unseen"> failed</span>
      </span>
    </>
  )
}

/** Shows or hides the command of each button. */
function CommandSwitch({ shell }: { shell: Shell }) {
  const { showsCommands, here } = shell
  return (
    <form method="post" action="/_emulator/ui/commands" id="commands">
      <input type="hidden" name="back" value={here} />
      <input type="hidden" name="shown" value={showsCommands ? 'false' : 'true'} />
      <button type="submit" class="button small" aria-pressed={showsCommands ? 'true' : 'false'}>
        Show curl
      </button>
    </form>
  )
}

/** The indicator of live updates; a script fills it in. */
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
          <kbd>?</kbd> shows them
        </span>
      </p>
      <dialog id="keys-help" aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <Facts
          rows={[
            [<kbd>/</kbd>, 'go to the filter'],
            [<kbd>j</kbd>, 'next row'],
            [<kbd>k</kbd>, 'previous row'],
            [<kbd>p</kbd>, 'pause and resume live updates'],
            [<kbd>Esc</kbd>, 'close the note, clear the filter, close this'],
            [<kbd>?</kbd>, 'show this'],
          ]}
        />
        <form method="dialog">
          <button type="submit" class="button">
            Close
          </button>
        </form>
      </dialog>
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

/** The selection of a client; not shown for a single client. */
function ClientScope({ shell }: { shell: Shell }) {
  const { clientId, clients, here } = shell
  if (clientId === undefined && clients !== null && clients.length < 2) return null
  const { path, filters } = scoped(here)
  return (
    <form class="scope" method="get" action={path} id="client-scope">
      {filters.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <label for="scope">Client</label>
      {clients === null ? <Typed clientId={clientId} /> : <Chosen clientId={clientId} clients={clients} />}
      <button type="submit" class="button plain">
        Show
      </button>
    </form>
  )
}

/** Returns the address of a page for another client: a list keeps its other filters; a page about an object leads to
 *  the list. */
function scoped(here: string): { path: string; filters: [name: string, value: string][] } {
  const { pathname, searchParams } = new URL(here, 'http://page.invalid')
  const [, kind] = /^\/_emulator\/ui\/(orders|deliveries|requests|clients)\/./.exec(pathname) ?? []
  if (kind !== undefined) return { path: `/_emulator/ui/${kind}`, filters: [] }
  const own = [...searchParams].filter(([name]) => !['clientId', 'cursor', 'note'].includes(name))
  return { path: pathname, filters: own }
}

function Typed({ clientId = '' }: { clientId: string | undefined }) {
  return (
    <input
      id="scope"
      name="clientId"
      value={clientId}
      placeholder="all clients"
      autocomplete="off"
      spellcheck={false}
    />
  )
}

function Chosen({ clientId, clients }: { clientId: string | undefined; clients: readonly string[] }) {
  // The address may name a client that was removed.
  const names = clientId === undefined || clients.includes(clientId) ? clients : [clientId, ...clients]
  return (
    <select id="scope" name="clientId">
      <option value="">all clients</option>
      {names.map((name) => (
        <option value={name} selected={name === clientId}>
          {name}
        </option>
      ))}
    </select>
  )
}

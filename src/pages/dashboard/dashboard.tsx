import { type Context, Hono } from 'hono'
import { secured } from '../../control/answer.ts'
import { guards } from '../../control/guards.ts'
import type { ControlParts } from '../../control/parts.ts'
import { client as clientShape } from '../../control/shapes/client.ts'
import { pageOf } from '../../control/shapes/common.ts'
import { failures as failuresShape } from '../../control/shapes/overview.ts'
import { queryOf, requireDecodable, urlParts } from '../../http/request.ts'
import { lastLook, rememberLook, showsCommands } from '../framework/browser-memory.ts'
import { ControlApi, orNull } from '../framework/control-api.ts'
import { failure, WayBack } from '../framework/failure.tsx'
import { dashboardPage, page } from '../framework/layout.tsx'
import { Notes, withoutNote } from '../framework/notes.ts'
import { actRoutes, sessionRoutes } from '../framework/routes.tsx'
import type { DashboardPage, Failures, Shell } from '../framework/view.ts'
import { clientPage } from './clients/client-page.tsx'
import { clientsPage } from './clients/clients-page.tsx'
import { clocksInSight } from './clocks/clock-bar.tsx'
import { clocksPage } from './clocks/clocks-page.tsx'
import { coveragePage } from './coverage/coverage-page.tsx'
import { deliveriesPage } from './deliveries/deliveries-page.tsx'
import { deliveryPage } from './deliveries/delivery-page.tsx'
import { sendPage } from './deliveries/send-page.tsx'
import { faultsPage } from './faults/faults-page.tsx'
import { keepPage } from './orders/keep-page.tsx'
import { orderPage } from './orders/order-page.tsx'
import { ordersPage } from './orders/orders-page.tsx'
import { usersPage } from './orders/users-page.tsx'
import { overviewPage } from './overview/overview-page.tsx'
import { causesPage } from './requests/causes-page.tsx'
import { requestPage } from './requests/request-page.tsx'
import { requestsPage } from './requests/requests-page.tsx'
import { newScenarioPage } from './scenarios/new-scenario-page.tsx'
import { scenarioPage } from './scenarios/scenario-page.tsx'
import { scenariosPage } from './scenarios/scenarios-page.tsx'
import { settingsPage } from './settings/settings-page.tsx'
import { restoreRoute } from './world/snapshots.tsx'
import { worldPage } from './world/world-page.tsx'

/** The pages, in the order in which their paths are tried. */
export const dashboardPages: readonly DashboardPage[] = [
  scenariosPage,
  scenarioPage,
  newScenarioPage,
  faultsPage,
  settingsPage,
  overviewPage,
  ordersPage,
  orderPage,
  keepPage,
  usersPage,
  deliveriesPage,
  sendPage,
  deliveryPage,
  requestsPage,
  requestPage,
  causesPage,
  clientsPage,
  clientPage,
  clocksPage,
  worldPage,
  coveragePage,
]

/** The path prefix of the control API and the dashboard. */
const root = '/_emulator'

/** The number of clients that fit into a selection list. */
const mostListed = 20

/** The dashboard: `/_emulator/` and all paths below `/_emulator/ui`.
 *  @param control the control API without its guards: the dashboard has the same */
export function createDashboard(parts: ControlParts, control: Hono): Hono {
  const api = new ControlApi(control)
  const notes = new Notes()
  const asksForToken = parts.guard.controlToken !== null
  const shellOf = shells(api, notes, {
    asksForToken,
    version: parts.version,
    programCall: parts.programCall,
  })

  const app = new Hono()
  app.use(secured)
  app.onError((error, c) => failure(error, c, shellOf, parts))
  app.route(root, sessionRoutes(parts))
  for (const path of ['', '/', '/ui/*']) app.use(`${root}${path}`, guards(parts.guard))
  app.use(`${root}/*`, (c, next) => {
    requireDecodable(c.req.url)
    return next()
  })
  app.get(root, (c) => c.redirect(`${root}/`, 308))
  app.route(root, actRoutes(api, notes, { originOf, asksForToken }))
  app.route(root, restoreRoute(api, notes))
  for (const { path, show } of dashboardPages) {
    app.get(`${root}${path}`, async (c) => {
      const shell = await shellOf(c)
      const query = Object.fromEntries(queryOf(c.req.url))
      const view = await show({ api, shell, query, param: (name) => c.req.param(name) ?? '' })
      c.res = page(dashboardPage(view, shell), view.status)
      if (view.looksAt !== undefined) rememberLook(c, view.looksAt)
      return c.res
    })
  }
  app.all(`${root}/ui/*`, async (c) => {
    const shell = await shellOf(c)
    const body = (
      <div class="empty">
        <p>There is no page at {c.req.path}.</p>
        <WayBack shell={shell} />
      </div>
    )
    return page(dashboardPage({ title: 'Not found', body }, shell), 404)
  })
  return app
}

/** Builds the shell of a page once per request, also if the page fails. */
function shells(
  api: ControlApi,
  notes: Notes,
  same: Pick<Shell, 'asksForToken' | 'version' | 'programCall'>,
) {
  const made = new WeakMap<Request, Promise<Shell>>()
  const make = async (c: Context): Promise<Shell> => {
    const { path } = urlParts(c.req.url)
    const query = queryOf(path)
    const clientId = query.get('clientId') || undefined
    const [clients, clocks, failures] = await Promise.all([
      clientNames(api),
      clocksInSight(api, clientId),
      failuresSince(api, clientId, c),
    ])
    return {
      ...{ ...same, clientId, clients, clocksInSight: clocks, failures },
      showsCommands: showsCommands(c),
      origin: originOf(c),
      here: withoutNote(path),
      // The note is kept for the GET request, because a HEAD request shows nothing.
      note: c.req.raw.method === 'HEAD' ? null : notes.take(query.get('note')),
    }
  }
  return (c: Context): Promise<Shell> => {
    const shell = made.get(c.req.raw) ?? make(c)
    made.set(c.req.raw, shell)
    return shell
  }
}

/** Returns the names of the clients, if they are few enough for a selection list. */
async function clientNames(api: ControlApi): Promise<readonly string[] | null> {
  const { items, next } = await api.get('/clients', pageOf(clientShape), { limit: String(mostListed) })
  return next === null ? items.map(({ clientId }) => clientId) : null
}

/** Counts the failures since the browser last looked at them. */
async function failuresSince(api: ControlApi, clientId: string | undefined, c: Context): Promise<Failures> {
  const answer = await orNull(
    api.get('/failures', failuresShape, {
      ...{ clientId, attemptsAfter: lastLook(c, 'attempts'), requestsAfter: lastLook(c, 'requests') },
    }),
  )
  // The address may name a removed client; the page itself says so.
  return answer ?? { attempts: 0, requests: 0 }
}

/** The origin of the browser's request. A proxy's claim is shown in commands only. */
function originOf(c: Context): string {
  const { origin } = urlParts(c.req.url)
  return c.req.header('x-forwarded-proto') === 'https' ? origin.replace(/^http:/, 'https:') : origin
}

import { type Context, Hono, type MiddlewareHandler, type Next } from 'hono'
import { EmulatorError } from '../domain/text/errors.ts'
import { nearest } from '../domain/text/issue-words.ts'
import { refusalOf, secured } from './answer.ts'
import { aboutCalls } from './calls/about.ts'
import { clientCalls } from './calls/clients.ts'
import { clockCalls } from './calls/clock.ts'
import { clocksCalls } from './calls/clocks.ts'
import { coverageCalls } from './calls/coverage.ts'
import { deliveryCalls } from './calls/deliveries.ts'
import { eventCalls } from './calls/events.ts'
import { faultCalls } from './calls/faults.ts'
import { fixtureCalls } from './calls/fixtures.ts'
import { healthCalls } from './calls/health.ts'
import { keptOrderCalls } from './calls/kept-orders.ts'
import { metricsCalls } from './calls/metrics.ts'
import { orderCalls } from './calls/orders.ts'
import { overviewCalls } from './calls/overview.ts'
import { referenceCalls } from './calls/reference.ts'
import { requestCalls } from './calls/requests.ts'
import { resetCalls, snapshotCalls } from './calls/reset-and-snapshots.ts'
import { scenarioCalls } from './calls/scenarios.ts'
import { choiceCalls, settingsCalls } from './calls/settings.ts'
import { statusCalls } from './calls/status.ts'
import { subscriptionCalls, userCalls } from './calls/subscriptions.ts'
import { sweepCalls } from './calls/sweep.ts'
import { verifyCalls } from './calls/verify.ts'
import { waitCalls } from './calls/wait.ts'
import { addCalls, type CallWords, type ControlCall } from './control-call.ts'
import { guards } from './guards.ts'
import type { ControlParts } from './parts.ts'

/** Handlers for requests that match no control call. */
interface NothingHere {
  /** Rejects a wrong method at a fixed path before a path with a parameter can match: "release" is not a delivery
   *  id.
   *  @throws method_not_allowed */
  readonly fixedPaths: (c: Context, next: Next) => Promise<void>
  /** @throws method_not_allowed, or not_found with the nearest call */
  readonly refuse: (c: Context) => never
}

interface Place {
  readonly method: string
  readonly path: string
  readonly words: readonly string[]
  readonly pattern: RegExp
}

function nothingHere(calls: readonly CallWords[]): NothingHere {
  const places = calls.map(placeOf)
  const fixed = Map.groupBy(
    places.filter(({ path }) => !path.includes('{')),
    ({ path }) => path,
  )
  return {
    fixedPaths: async (c, next) => {
      const here = fixed.get(below(c.req.path)) ?? []
      const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
      if (here.length > 0 && !here.some((place) => place.method === method)) throw wrongMethod(c, here)
      await next()
    },
    refuse: (c) => {
      const here = places.filter(({ pattern }) => pattern.test(below(c.req.path)))
      throw here.length > 0 ? wrongMethod(c, here) : unknownPath(c, places)
    },
  }
}

function placeOf({ method, path }: CallWords): Place {
  const pattern = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
  return { method, path, words: path.split('/').slice(1), pattern: new RegExp(`^${pattern}$`) }
}

const below = (path: string): string => path.replace(/^\/_emulator/, '')

function wrongMethod(c: Context, here: readonly Place[]): EmulatorError {
  const allow = here.map(({ method }) => method).join(', ')
  return new EmulatorError(
    'method_not_allowed',
    { method: c.req.method, path: c.req.path, allowed: allow },
    { allow },
  )
}

function unknownPath(c: Context, places: readonly Place[]): EmulatorError {
  const { path, method } = c.req
  const near = nearestPath(below(path).replace(/\/+$/, ''), places)
  const there = places.filter((place) => place.path === near)
  const call = there.find((place) => place.method === method) ?? there[0]
  const hint = call === undefined ? '' : ` Nearest: ${call.method} /_emulator${call.path}.`
  return new EmulatorError('not_found', {
    message: `The control API has nothing at ${path}.${hint} For all calls, see /_emulator/docs.`,
  })
}

/** Finds the path that was probably meant: one with a similar spelling, or one with a similar last segment. */
function nearestPath(path: string, places: readonly Place[]): string | undefined {
  const asked = path.split('/').slice(1)
  const filled = new Map(places.map((place) => [filledIn(place.words, asked), place.path]))
  const last = new Map(places.toReversed().map((place) => [place.words.at(-1) ?? '', place.path]))
  return (
    filled.get(nearest(path, filled.keys()) ?? '') ?? last.get(nearest(asked.at(-1) ?? '', last.keys()) ?? '')
  )
}

/** Fills a path's parameters with the requested segments, so that parameters do not count as differences. */
const filledIn = (words: readonly string[], asked: readonly string[]): string =>
  words.map((word, index) => `/${word.startsWith('{') ? asked[index] || word : word}`).join('')

/** Paths of control calls whose changes affect later orders and calls. */
const setupPaths = ['/clients/*', '/faults/*', '/scenarios/*', '/settings/*'] as const

/** Emits the event `setup`, which dashboards listen to, after a control call has changed clients, faults, scenarios
 *  or settings. */
const emitSetup =
  ({ feed }: Pick<ControlParts, 'feed'>): MiddlewareHandler =>
  async (c, next) => {
    await next()
    if (!['GET', 'HEAD'].includes(c.req.method) && c.res.ok) feed.emit({ type: 'setup' })
  }

/** All calls of the control API, in the order of its OpenAPI document. */
export const controlCalls: readonly ControlCall[] = [
  ...healthCalls,
  ...aboutCalls,
  ...clientCalls,
  ...clockCalls,
  ...clocksCalls,
  ...orderCalls,
  ...keptOrderCalls,
  ...subscriptionCalls,
  ...userCalls,
  ...deliveryCalls,
  ...verifyCalls,
  ...requestCalls,
  ...waitCalls,
  ...eventCalls,
  ...faultCalls,
  ...sweepCalls,
  ...scenarioCalls,
  ...fixtureCalls,
  ...choiceCalls,
  ...settingsCalls,
  ...resetCalls,
  ...statusCalls,
  ...overviewCalls,
  ...metricsCalls,
  ...coverageCalls,
  ...snapshotCalls,
  ...referenceCalls,
]

/** The control API at `/_emulator`, for tests that control the emulator. */
export function createControl(parts: ControlParts): Hono {
  const app = new Hono()
  app.onError((error) => refusalOf(error, parts))
  app.use(secured)
  const isGuarded = ({ guarded = true }: ControlCall) => guarded
  const unguarded = controlCalls.filter((call) => !isGuarded(call))
  addCalls(app, unguarded, parts)
  app.use(guards(parts.guard))
  app.use(fixedPaths)
  for (const path of setupPaths) app.use(path, emitSetup(parts))
  addCalls(app, controlCalls.filter(isGuarded), parts)
  app.all('*', refuse)
  return app
}

/** The control API without guards, for the emulator's own pages, whose requests were checked already. */
export function createTrustedControl(parts: ControlParts): Hono {
  const app = new Hono().basePath('/_emulator')
  app.onError((error) => refusalOf(error, parts))
  app.use(fixedPaths)
  for (const path of setupPaths) app.use(path, emitSetup(parts))
  addCalls(app, controlCalls, parts)
  app.all('*', refuse)
  return app
}

const { fixedPaths, refuse } = nothingHere(controlCalls)

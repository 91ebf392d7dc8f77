import { Hono } from 'hono'
import { aboutCalls } from './about.ts'
import { choiceCalls } from './choices.ts'
import { clientCalls } from './clients.ts'
import { clockCalls } from './clock.ts'
import { clocksCalls } from './clocks.ts'
import { addCalls, type ControlCall } from './control-call.ts'
import { coverageCalls } from './coverage.ts'
import { deliveryCalls } from './deliveries.ts'
import { eventCalls } from './events.ts'
import { faultCalls } from './faults.ts'
import { fixtureCalls } from './fixtures.ts'
import { guards } from './guards.ts'
import { healthCalls } from './health.ts'
import { metricsCalls } from './metrics.ts'
import { nothingHere } from './nothing-here.ts'
import { orderCalls } from './orders.ts'
import type { ControlParts } from './parts.ts'
import { referenceCalls } from './reference.ts'
import { refused } from './refused.ts'
import { requestCalls } from './requests.ts'
import { resetCalls } from './reset.ts'
import { scenarioCalls } from './scenarios.ts'
import { secured } from './secured.ts'
import { settingsCalls } from './settings.ts'
import { snapshotCalls } from './snapshot.ts'
import { statusCalls } from './status.ts'
import { subscriptionCalls } from './subscriptions.ts'
import { sweepCalls } from './sweep.ts'
import { setupPaths, tellSetup } from './tell-setup.ts'
import { userCalls } from './users.ts'
import { verifyCalls } from './verify.ts'
import { waitCalls } from './wait.ts'

/** The calls of the control API, in the order of its document. */
export const controlCalls: readonly ControlCall[] = [
  ...healthCalls,
  ...aboutCalls,
  ...clientCalls,
  ...clockCalls,
  ...clocksCalls,
  ...orderCalls,
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
  ...metricsCalls,
  ...coverageCalls,
  ...snapshotCalls,
  ...referenceCalls,
]

/** The control API, `/_emulator`: what a test may do to the emulator. */
export function createControl(parts: ControlParts): Hono {
  const app = new Hono()
  app.onError((error) => refused(error, parts))
  app.use(secured)
  const isGuarded = ({ guarded = true }: ControlCall) => guarded
  const unguarded = controlCalls.filter((call) => !isGuarded(call))
  addCalls(app, unguarded, parts)
  app.use(guards(parts.guard))
  app.use(fixedPaths)
  for (const path of setupPaths) app.use(path, tellSetup(parts))
  addCalls(app, controlCalls.filter(isGuarded), parts)
  app.all('*', refuse)
  return app
}

/** The same calls for the emulator's own pages, whose requests have passed the guards already. */
export function createTrustedControl(parts: ControlParts): Hono {
  const app = new Hono().basePath('/_emulator')
  app.onError((error) => refused(error, parts))
  app.use(fixedPaths)
  for (const path of setupPaths) app.use(path, tellSetup(parts))
  addCalls(app, controlCalls, parts)
  app.all('*', refuse)
  return app
}

const { fixedPaths, refuse } = nothingHere(controlCalls)

import { Hono } from 'hono'
import { z } from 'zod'
import { choicesTable } from '../domain/choices.ts'
import { EmulatorError } from '../domain/errors.ts'
import { clientRoutes } from './clients.ts'
import { clockRoutes } from './clock.ts'
import { addCalls, type ControlCall } from './control-call.ts'
import { deliveryRoutes } from './deliveries.ts'
import { faultCalls } from './faults.ts'
import { fixtureRoutes } from './fixtures.ts'
import { guards } from './guards.ts'
import { clientQuery, readJson, readQuery } from './input.ts'
import { orderRoutes } from './orders.ts'
import type { ControlParts } from './parts.ts'
import { requestRoutes } from './requests.ts'
import { scenarioRoutes } from './scenarios.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { userCalls } from './users.ts'

const resetRequest = z.strictObject({ keep: z.array(z.enum(['clients', 'scenarios'])).default([]) })

/** The calls of the control API, in the order of its document. */
export const controlCalls: readonly ControlCall[] = [...userCalls, ...faultCalls]

/** The control API, `/_emulator`: what a test may do to the emulator. */
export function createControl(parts: ControlParts): Hono {
  const app = new Hono()
  app.onError((error) => refused(error, parts))
  app.get('/health', (c) => c.json({ status: 'ok', version: parts.version, uptimeMs: parts.uptimeMs() }))
  app.use(guards(parts.guard))
  app.route('/clients', clientRoutes(parts))
  app.route('/clock', clockRoutes(parts))
  app.route('/orders', orderRoutes(parts))
  app.route('/subscriptions', subscriptionRoutes(parts))
  addCalls(app, controlCalls, parts)
  app.route('/deliveries', deliveryRoutes(parts))
  app.route('/requests', requestRoutes(parts))
  app.route('/scenarios', scenarioRoutes(parts))
  app.route('/fixtures', fixtureRoutes(parts))
  app.get('/choices', (c) => {
    const overlays = parts.clients.overlaysOf(readQuery(c, clientQuery).clientId)
    return c.json({ items: choicesTable(...overlays), next: null })
  })
  app.post('/reset', async (c) => {
    const { clientId } = readQuery(c, clientQuery)
    const { keep } = await readJson(c, resetRequest)
    await parts.reset({
      clientId,
      keepClients: keep.includes('clients'),
      keepScenarios: keep.includes('scenarios'),
    })
    return c.json({ reset: clientId ?? 'all' })
  })
  app.all('*', (c) => {
    const allowed = methodsAt(app, c.req.path)
    if (allowed.length === 0)
      throw new EmulatorError('not_found', { message: `The control API has nothing at ${c.req.path}.` })
    const list = allowed.join(', ')
    throw new EmulatorError('method_not_allowed', { method: c.req.method, allowed: list }, { allow: list })
  })
  return app
}

/** The methods a path has, though not the one it was asked with. */
function methodsAt(app: Hono, path: string): string[] {
  const relative = path.replace(/^\/_emulator/, '')
  const fits = (pattern: string) =>
    new RegExp(`^${pattern.replaceAll(/:[^/]+/g, '[^/]+').replace(/\/$/, '')}$`).test(relative)
  const methods = app.routes
    .filter((route) => route.method !== 'ALL' && fits(route.path))
    .map((route) => route.method)
  return [...new Set(methods)]
}

/** Errors of the table as `{"error":{"code","message"}}`; anything else is a bug, told without its innards. */
function refused(error: Error, { onError, journal }: ControlParts): Response {
  const known = error instanceof EmulatorError
  const id = known ? '' : journal.nextId()
  if (!known) onError(error, id)
  const { code, message, status, headers } = known ? error : new EmulatorError('internal', { id })
  const body = JSON.stringify({ error: { code, message } })
  return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } })
}

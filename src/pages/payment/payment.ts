import { type Context, Hono, type MiddlewareHandler } from 'hono'
import * as z from 'zod'
import type { Order } from '../../domain/order/order.ts'
import type { PageState } from '../../domain/order/payer-page.ts'
import { payOutcomes } from '../../domain/scenario/scenario.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { Journal } from '../../journal/journal.ts'
import { formIn, pageHeaders } from '../framework/http.ts'
import { languageOf } from './language.ts'
import { orderPage, problemPage } from './order-page.tsx'
import { clockOf, leadsToWeb, type PageView, paceText, stateOf, type ViewSources, viewOf } from './view.ts'

const payerAct = z.object({
  outcome: z.enum(payOutcomes),
  errorCode: z.string().min(1).max(32).optional(),
})

/** The choice that the payer's form sends. */
type PayerAct = z.output<typeof payerAct>

/** Reads a form of the page; null for an unknown one.
 *  @throws too_large, body_cut, invalid_input */
async function payerActIn(c: Context): Promise<PayerAct | null> {
  const { success, data } = payerAct.safeParse(Object.fromEntries(await formIn(c)))
  return success ? data : null
}

/** Whether the order is in the state that this act leads to: then a second click changes nothing. */
function isDone(act: PayerAct, state: PageState, { errorReason }: Pick<Order, 'errorReason'>): boolean {
  const { outcome, errorCode } = act
  const isOther = outcome === 'failed' && errorCode !== undefined && errorCode !== errorReason?.errorCode
  const there: Readonly<Record<PayerAct['outcome'], readonly PageState[]>> = {
    completed: ['paid', 'completed'],
    failed: ['failed'],
    abandoned: ['abandoned'],
  }
  return there[outcome].includes(state) && !isOther
}

/** The parts that payment pages use. */
export interface PaymentParts extends ViewSources {
  readonly journal: Pick<Journal, 'nextId'>
  /** Logs an internal error; `id` names its entry in the request log. */
  readonly onError: (error: unknown, id?: string) => void
}

/** The hosted payment page, `/pay/{token}` (R34, R41, N65). The token is the key: there is no cookie or other right
 *  that another site could abuse, so forms are accepted from anywhere, and any page may frame it. */
export function createPaymentPages(parts: PaymentParts): Hono {
  const app = new Hono()
  app.onError((error, c) => failed(c, error, parts))
  app.use(framable)
  app.get('/:token', (c) => show(c, parts))
  app.post('/:token', (c) => act(c, parts))
  app.get('/:token/state', (c) => answerState(c, parts))
  app.all('/:token', (c) => problem(c, 405, wrongMethod, { allow: 'GET, HEAD, POST' }))
  app.all('*', (c) => problem(c, 404, unknown))
  return app
}

/** Sets the headers of every payment page. Its address contains the token, so no referrer is sent. */
const framable: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers } = c.res
  for (const [name, value] of Object.entries(pageHeaders('anywhere'))) {
    if (!headers.has(name)) headers.set(name, value)
  }
}

async function show(c: Context, parts: PaymentParts): Promise<Response> {
  const order = await orderIn(c, parts)
  if (order === null) return problem(c, 404, unknown)
  // A prefetch is no visit. The browser asks again when its user comes.
  if (isPrefetch(c)) return problem(c, 503, prefetched)
  const isOpened = c.req.method === 'GET' && (await stateOf(order, parts)) === 'open'
  const shown = isOpened ? await opened(order, parts) : order
  const view = await viewOf(shown, parts)
  // A payer who waited on this page returns to the shop like one who has chosen (N56).
  if (c.req.query('waiting') !== undefined && hasEnded(view) && leadsToWeb(view.back)) {
    return c.redirect(view.back, 302)
  }
  return page(orderPage(view, assetsFrom(c)))
}

/** Opens the page (N65). An order that cannot be moved any more is shown as it is. */
async function opened(order: Order, { lifecycle }: PaymentParts): Promise<Order> {
  try {
    return await lifecycle.openPage(order.orderId)
  } catch (error) {
    if (isKnown(error, ['scenario_outdated'])) return order
    throw error
  }
}

async function act(c: Context, parts: PaymentParts): Promise<Response> {
  const chosen = await payerActIn(c)
  const order = await orderIn(c, parts)
  if (order === null) return problem(c, 404, unknown)
  if (chosen === null) return problem(c, 400, notOurForm)
  const after = await acted(order, chosen, parts)
  const view = await viewOf(after, parts)
  if (!isDone(chosen, view.state, after)) return page(orderPage({ ...view, isTooLate: true }, assetsFrom(c)))
  // After success and failure only (N56); R41 names the status.
  if (chosen.outcome !== 'abandoned' && view.back !== null) return c.redirect(view.back, 302)
  return c.redirect(order.token, 303)
}

/** The order after the payer's act, or unchanged if that came too late (N12). */
async function acted(order: Order, { outcome, errorCode }: PayerAct, parts: PaymentParts): Promise<Order> {
  if ((await stateOf(order, parts)) !== 'open') return order
  return parts.lifecycle.payOnPage(order.orderId, outcome === 'failed' ? { outcome, errorCode } : { outcome })
}

const hasEnded = ({ state }: PageView): boolean => state === 'completed' || state === 'failed'

/** Answers the page's script, which checks whether the order or the clock has moved. */
async function answerState(c: Context, parts: PaymentParts): Promise<Response> {
  const order = await orderIn(c, parts)
  if (order === null) return c.json({ state: 'unknown' }, 404)
  const { orderStatus, expiresAt } = order
  const clock = clockOf(order, parts)
  return c.json({
    state: await stateOf(order, parts),
    status: orderStatus,
    expiresAt,
    ...clock,
    pace: paceText(clock, languageOf(order.request.lang)),
  })
}

const orderIn = (c: Context, { store }: PaymentParts): Promise<Order | null> =>
  store.findOrderByToken(c.req.param('token') ?? '')

/** Whether a browser prefetches the page, without a visitor. */
const isPrefetch = ({ req }: Context): boolean =>
  ['sec-purpose', 'purpose', 'x-moz'].some((name) => req.header(name)?.includes('prefetch'))

/** Returns the path of the assets relative to a page, because a proxy may serve everything below another path. The
 *  deepest page is `/pay/{token}`. */
const assetsFrom = ({ req }: Context): string => (/^\/pay\/[^/]*$/.test(req.path) ? 'assets' : '/pay/assets')

function failed(c: Context, error: Error, { journal, onError }: PaymentParts): Response {
  // The client was reset after the order was found.
  if (isKnown(error, ['order_unknown', 'client_unknown'])) return problem(c, 404, unknown)
  const known = error instanceof EmulatorError
  const id = known ? '' : journal.nextId()
  if (!known) onError(error, id)
  const { message, status, headers } = known ? error : new EmulatorError('internal', { id })
  return problem(c, status, { title: 'That did not work', text: message }, headers)
}

const isKnown = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof EmulatorError && codes.includes(error.code)

interface Problem {
  readonly title: string
  readonly text: string
}

function problem(
  c: Context,
  status: number,
  { title, text }: Problem,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return page(problemPage({ title, text }, assetsFrom(c)), status, headers)
}

const page = (text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(text, { status, headers: { ...pageHeaders('anywhere'), ...headers } })

const unknown: Problem = {
  title: 'No such payment',
  text: 'No order has this token. It may be mistyped, or the emulator has been reset. The create call returns a token for each order.',
}

const wrongMethod: Problem = {
  title: 'Method not allowed',
  text: 'Open a payment page with GET, and submit it with POST.',
}

const notOurForm: Problem = {
  title: 'Invalid form',
  text: 'The form must send outcome: completed, failed or abandoned. With failed it may send an errorCode of 1 to 32 characters, instead of 9004.',
}

const prefetched: Problem = {
  title: 'Not yet',
  text: 'Opening this page makes its order wait for the payer, so it cannot be preloaded.',
}

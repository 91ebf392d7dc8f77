import { isCallbackUrl, returnUrlTo } from '../../domain/order/payment-urls.ts'
import { at, jsonIn } from '../application/json-pointer.ts'
import { NotSeen } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** Opens the `callbackUrl` of the create call with the order's status, as the payer's browser does after the
 *  payment.
 *  @returns whether a page was opened */
export async function browserReturns(order: StagedOrder, stage: Stage): Promise<boolean> {
  const url = await callbackUrlOf(order).catch(nullIfNotSeen)
  if (url === null) return false
  const { error } = await stage.app.open(returnUrlTo(url, await order.read()))
  stage.note(`the browser comes back to ${url}${error === null ? '' : `: ${error}`}`, {
    about: order.requestId,
  })
  return error === null
}

function nullIfNotSeen(error: unknown): null {
  if (error instanceof NotSeen) return null
  throw error
}

/** The URL to which the payer's browser returns.
 *  @throws NotSeen if the application has given no URL that a browser can open */
export async function callbackUrlOf(order: StagedOrder): Promise<string> {
  if (!order.ofApplication)
    throw new NotSeen('where your application lets browsers return: the configuration has no `start`')
  const creates = (await order.calls()).filter(({ operation }) => operation?.startsWith('create-'))
  const callbackUrl = at(jsonIn(creates.at(-1)?.body ?? ''), '/callbackUrl')
  if (typeof callbackUrl !== 'string' || callbackUrl === '')
    throw new NotSeen('your application sends no `callbackUrl` when it creates an order')
  if (!isCallbackUrl(callbackUrl) || !/^https?:/i.test(callbackUrl))
    throw new NotSeen(`a browser cannot open the \`callbackUrl\` of your application: ${callbackUrl}`)
  return callbackUrl
}

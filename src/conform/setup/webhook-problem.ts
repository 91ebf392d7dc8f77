import type { Delivery } from '../../index.ts'
import type { Application } from '../application/application.ts'
import { short } from '../application/http-call.ts'
import { reaches } from '../application/pulse.ts'
import type { ConfigurationProblem } from '../report.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** Advance of the clock, longer than the five minutes of tolerance for webhook timestamps. */
const ahead = '10m'

/** The problem with `time`: an application that receives the client's clock compares webhook timestamps with it.
 *  Webhooks have wall-clock timestamps, so it would refuse all of them, and some cases would pass for the wrong
 *  reason.
 *  @param before orders whose webhooks it has already received */
export async function timeProblem(
  before: readonly StagedOrder[],
  stage: Stage,
): Promise<ConfigurationProblem | null> {
  const { app } = stage
  if (app.time === null || !(await attemptsOf(before)).some(({ status }) => isAccepted(status))) return null
  await stage.advance(ahead)
  const { order: begin } = await stage.begin()
  const order = await begin(app.patienceMs)
  await stage.settle()
  const attempts = await attemptsOf([order])
  const [first] = attempts
  if (first === undefined || !attempts.every(({ status }) => isRefusal(status, app))) return null
  return {
    member: 'time',
    message: `your application accepted webhooks, but since this call has set its clock ahead it answers every webhook ${first.status}${first.responseBody ? `: ${short(first.responseBody)}` : ''}. Webhooks are signed with the wall-clock time, whatever the client's clock shows: compare their timestamp with the wall-clock time too, not with the time that this call sets`,
  }
}

const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300

async function attemptsOf(orders: readonly StagedOrder[]) {
  const deliveries = await Promise.all(orders.map((order) => order.deliveries()))
  return deliveries.flat().flatMap(({ attempts }) => attempts)
}

/** The problem with the webhook URL or signature, if every webhook failed in the same way. Failures of some webhooks
 *  are left to the cases.
 *  @param deliveries of orders that were just created
 *  @param known whether the application has created these orders itself
 *  @param paid whether it still noticed that one of them was paid */
export async function webhookProblem(
  deliveries: readonly Delivery[],
  app: Application,
  { known, paid }: { known: boolean; paid: boolean },
): Promise<ConfigurationProblem | null> {
  const attempts = deliveries.flatMap((delivery) => delivery.attempts)
  const [first] = attempts
  if (first === undefined) return null
  const all = (fits: (status: number | null) => boolean) => attempts.every(({ status }) => fits(status))
  const { url, status, error, responseBody } = first
  const answered = `every webhook to ${url} was answered ${status}${responseBody ? `: ${short(responseBody)}` : ''}`
  if (attempts.every(({ outcome }) => outcome === 'connection'))
    return { member: 'webhookUrl', message: await unreachable(url, error ?? '') }
  if (all((each) => each === 405 || each === 501) || (known && all((each) => each === 404)))
    return {
      member: 'webhookUrl',
      message: `${answered}, even about orders of your application; is that the URL where it receives webhooks?`,
    }
  // An application without webhooks can still learn of payments by polling.
  if (app.webhookSignature === 'none' && paid) return null
  if (all((each) => isRefusal(each, app)))
    return {
      member: 'webhookSignature',
      message: `${answered}; ${signatureAdvice(app, first.requestHeaders)}`,
    }
  return null
}

/** Whether a status means that the webhook is not genuine. */
const isRefusal = (status: number | null, { webhookSignature }: Application): boolean =>
  (webhookSignature === 'none' ? [401, 403] : [400, 401, 403]).includes(status ?? 0)

/** Explains why the webhook URL is unreachable. The emulator's hint about containers only helps if the URL can be
 *  reached from this machine. */
async function unreachable(url: string, error: string): Promise<string> {
  const [reason = error, ...advice] = error.split('; ')
  const elsewhere = advice.length === 0 || (await reaches(url))
  const cause = elsewhere || !leadsHere.test(new URL(url).hostname) ? error : reason
  const question = cause === error && advice.length > 0 ? '' : '; is your application running there?'
  return `nothing answers at ${url}: ${cause}${question}`
}

/** URL hosts that mean this machine. */
const leadsHere = /^(127\.|\[::1\]$|(.+\.)?localhost$)/

function signatureAdvice(
  { webhookSignature, time }: Application,
  headers: Readonly<Record<string, string>>,
): string {
  const secret = 'the webhook secret of the client (PAYMENT_ORDER_WEBHOOK_SECRET)'
  // A run before this one may have set its clock ahead.
  const byRealTime =
    time === null
      ? ''
      : ', and compare their timestamp with the wall-clock time, not with the time that `time` sets'
  if (webhookSignature !== 'none')
    return `each was signed correctly for \`webhookSignature: ${webhookSignature}\`; does your application verify with ${webhookSignature === 'settings' ? 'the secret of the client that the settings name' : secret}${byRealTime}?`
  const signed = Object.keys(headers).find((name) => /signature/i.test(name))
  const how = signed === undefined ? 'They carry no signature' : `They are signed in the header ${signed}`
  return `${how}. If your application verifies signatures, set \`webhookSignature\` (standard, hmac-body or settings), and give your application ${secret}`
}
